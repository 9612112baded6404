#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the check lines of our own lit tests: FileCheck passes over a line that it does not know.

    tests/check_lint.py [ROOT]

Reads kernels/ and tests/lit/. Prints one TAP line per rule, and one per negative control: a test
file that breaks just that rule.
"""

import os
import re
import sys
import tempfile

SUFFIXES = (".cu", ".ptx", ".test")
LIT_WORDS = ("RUN", "XFAIL", "REQUIRES", "UNSUPPORTED", "ALLOW_RETRIES", "END")
SUFFIX = r"(?:-(?:NEXT|SAME|EMPTY|NOT|DAG|LABEL|COUNT-[0-9]+))"
# A word in capitals that opens a comment: a directive, or what should have been one.
OPENING = re.compile(r"\s*(?://|/\*|\*|#|;)\s*([A-Z][A-Z0-9_]+(?:-[A-Z0-9_]+)*)(\{LITERAL\})?(\s*)(:?)"
                     r"(.*)")
BARE = re.compile(r"\s*()([A-Z][A-Z0-9_]+(?:-[A-Z0-9_]+)*)(\{LITERAL\})?(\s*)(:)(.*)")
# A tool of ours where a command starts.
FROM_PATH = (r"(?:^|[|;(&]\s*|\b(?:do|not|env|%exits \d+)\s+)(ptxlab|FileCheck(?:-\d+)?|nvcc)\s")


class Check:
    """One check line: its prefix, its kind ('' for plain, NOT, DAG, LABEL, ...), and its pattern."""

    def __init__(self, line, prefix, kind, pattern):
        self.line, self.prefix, self.kind, self.pattern = line, prefix, kind, pattern


class Test:
    """One test file: RUN lines, the prefixes they name, opening words, and check lines."""

    def __init__(self, path, text):
        self.path = path
        self.words = list(opening_words(path, text))
        self.runs = list(run_lines(self.words))
        self.prefixes = {prefix for _, run in self.runs for prefix in prefixes_of(run)}
        self.kernels = re.findall(r"__global__\s+void\s+(?:__\w+__\([^)]*\)\s*)?(\w+)\s*\(", text)
        self.checks = []
        for number, word, _, blank, colon, rest in self.words:
            for prefix in self.prefixes:
                kind = re.fullmatch(re.escape(prefix) + f"({SUFFIX})?", word)
                if kind and colon and not blank:
                    self.checks.append(Check(number, prefix, (kind.group(1) or "")[1:], rest.strip()))

    def at(self, line, text):
        return f"{self.path}:{line}: {text}"

    def blocks(self):
        """The check lines of each prefix, divided at its labels."""
        for prefix in sorted(self.prefixes):
            block = []
            for check in (c for c in self.checks if c.prefix == prefix):
                if check.kind == "LABEL":
                    yield block
                    block = []
                block.append(check)
            yield block


def opening_words(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        found = OPENING.match(line)
        if found:
            yield (number, *found.groups())
        elif path.endswith(".test"):
            found = BARE.match(line)
            if found:
                yield (number, *found.groups()[1:])


def run_lines(words):
    """(line, command) with continued lines joined."""
    command, first = "", 0
    for number, word, _, blank, colon, rest in words:
        if word != "RUN" or blank or not colon:
            continue
        first = first if command else number
        command += rest.strip()
        if command.endswith("\\"):
            command = command[:-1] + " "
            continue
        yield first, command
        command = ""
    if command:
        yield first, command


def prefixes_of(run):
    """The prefixes of each FileCheck in a RUN line that reads its checks from the test itself."""
    for part in re.split(r"\||&&|;", run):
        if "FileCheck" not in part or "%s" not in part:
            continue
        named = re.findall(r"--?check-prefix(?:es)?[ =]([\w,-]+)", part)
        yield from (prefix for names in named or ["CHECK"] for prefix in names.split(","))


def tests(root):
    for top in ("kernels", "tests/lit"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f != "Inputs")
            for name in sorted(f for f in files if f.endswith(SUFFIXES)):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield Test(os.path.relpath(path, root), file.read())


def distance(a, b):
    """Letters to add, drop, change or swap between two words."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def near(word, known):
    return any(distance(word, other) <= (2 if len(other) > 4 else 1) for other in known)


# --- rules ------------------------------------------------------------------------------------------


def directives_are_known(root):
    """no directive is misspelt: its suffix, its colon, or its name"""
    for test in tests(root):
        known = test.prefixes | {"CHECK"} | set(LIT_WORDS)
        for number, word, _, blank, colon, _ in test.words:
            base = next((k for k in sorted(known, key=len, reverse=True)
                         if word == k or word.startswith(k + "-")), None)
            if base in LIT_WORDS:
                if word in LIT_WORDS and (not colon or blank):
                    yield test.at(number, f"{word} without a colon right behind it")
            elif base:
                if not re.fullmatch(re.escape(base) + f"{SUFFIX}?", word):
                    yield test.at(number, f"unknown directive {word}")
                elif not colon or blank:
                    yield test.at(number, f"{word} without a colon right behind it")
            elif near(re.sub(f"{SUFFIX}$", "", word), known):
                yield test.at(number, f"{word} looks like a misspelt directive")


def prefixes_are_used(root):
    """each check line's prefix is named by a RUN line, and the other way round"""
    for test in tests(root):
        for number, word, _, _, colon, _ in test.words:
            base = re.sub(f"{SUFFIX}$", "", word)
            if colon and base not in test.prefixes and base not in LIT_WORDS:
                yield test.at(number, f"no RUN line uses the prefix {base}")
        for prefix in sorted(test.prefixes - {check.prefix for check in test.checks}):
            yield test.at(1, f"the prefix {prefix} has no check line")


def runs_judge(root):
    """each test runs ptxlab or FileCheck, from the suite, and can fail"""
    for test in tests(root):
        if not any(re.search("%ptxlab|%FileCheck", run) for _, run in test.runs):
            yield test.at(1, "no RUN line with %ptxlab or %FileCheck")
        for number, run in test.runs:
            for tool in re.findall(FROM_PATH, run):
                yield test.at(number, f"{tool} from PATH: write %{tool.split('-')[0]}")
            if re.search(r"(\|\||;)\s*(true|:)\s*$", run):
                yield test.at(number, "cannot fail")


def output_is_read(root):
    """what one RUN line writes, a later one reads"""
    for test in tests(root):
        for index, (number, run) in enumerate(test.runs):
            for target in re.findall(r">\s*(%t[\w.]*)", run):
                later = [r for _, r in test.runs[index + 1:]]
                if not re.search(re.escape(target) + r"(?![\w.])", run.split(target, 1)[1]) and not any(
                        re.search(re.escape(target) + r"(?![\w.])", r) for r in later):
                    yield test.at(number, f"nothing reads {target}")


def blocks_ask_for_something(root):
    """no block of check lines is made of NOT alone"""
    for test in tests(root):
        for block in test.blocks():
            asked = [check for check in block if check.kind != "LABEL"]
            if asked and all(check.kind == "NOT" for check in asked):
                yield test.at(asked[0].line, f"only {asked[0].prefix}-NOT up to the next label")


def labels_are_whole(root):
    """no label is the beginning of another, or of another kernel's name, without {{$}} behind it"""
    for test in tests(root):
        labels = [check for check in test.checks if check.kind == "LABEL"]
        names = {check.pattern.removesuffix("{{$}}") for check in labels}
        names |= {f"kernel {kernel}" for kernel in test.kernels}
        for check in labels:
            longer = sorted(n for n in names if n != check.pattern and n.startswith(check.pattern))
            if longer:
                yield test.at(check.line, f"label '{check.pattern}' also fits '{longer[0]}'")


def numbers_are_whole(root):
    """a count at the end of a pattern has {{$}} behind it: 1 also fits 12"""
    for test in tests(root):
        for check in test.checks:
            if re.search(r"(opcode|resource) \S+ [1-9][0-9]*$", check.pattern):
                yield test.at(check.line, f"'{check.pattern}' without {{{{$}}}}")


def subjects(pattern):
    """What a pattern speaks of: opcodes, findings, loops of a stage."""
    for word in re.findall(r"\bopcode (\{\{.*?\}\}|\S+)", pattern):
        for one in word.strip("{}").split("|"):
            yield "opcode " + re.split(r"\{\{|[\[(*]|\.\*", one)[0]
    yield from (f"finding {word}" for word in re.findall(r"\bfinding ([\w-]+)", pattern))
    yield from (f"{stage} loop" for stage in re.findall(r"\b(ptx|sass) loop\b", pattern))


def gone_has_a_sibling(root):
    """what a NOT names, another line of the file finds: a misspelt opcode is never there"""
    for test in tests(root):
        found = {s for check in test.checks if check.kind != "NOT" for s in subjects(check.pattern)}
        for check in test.checks:
            for subject in subjects(check.pattern) if check.kind == "NOT" else ():
                if not any(other.startswith(subject) for other in found):
                    yield test.at(check.line, f"nowhere is there a '{subject}'")


def rank(pattern):
    """Where facts print the line that a pattern speaks of; None if that is not known."""
    text = pattern.split("{{")[0]
    found = re.match(r"\s*(resource|ptx|sass|loop|finding)\b ?(\w*) ?(\S*)", text)
    if not found:
        return None
    section, kind, name = found.groups()
    if section in ("ptx", "sass"):
        if kind not in ("instructions", "opcode", "loop"):
            return None
        order = ("instructions", "opcode", "loop").index(kind)
        return (1 if section == "ptx" else 2, order, name if kind == "opcode" else "")
    # Findings and verdicts are not sorted by what a pattern shows of them.
    return {"resource": (0, 0, kind), "loop": (3, 0, ""), "finding": (4, 0, "")}[section]


def nots_can_see(root):
    """a NOT stands between the lines where facts would print what it forbids"""
    for test in tests(root):
        for block in test.blocks():
            for index, check in enumerate(block):
                here = rank(check.pattern)
                if check.kind != "NOT" or here is None:
                    continue
                before = group(reversed(block[:index]))
                after = group(block[index + 1:])
                if any(r > here for r in before) or any(r < here for r in after):
                    yield test.at(check.line, f"'{check.pattern}' would stand elsewhere")


def group(checks):
    """Ranks of the lines next to a NOT that bound what it sees: one line, or one group of DAG."""
    ranks, kind = [], None
    for check in checks:
        if check.kind == "NOT":
            if kind:
                break
            continue
        if check.kind == "LABEL" or (kind and (kind, check.kind) != ("DAG", "DAG")):
            break
        kind = check.kind or "plain"
        ranks.append(rank(check.pattern))
    return [r for r in ranks if r is not None]


# --- negative controls ------------------------------------------------------------------------------

RUN = "// RUN: %ptxlab inspect %s > %t\n// RUN: %FileCheck %s --input-file %t\n"
SOUND = RUN + """// Question: a word with a colon is no directive, nor is CHECK within a line.
// CHECK-LABEL: kernel spin{{$}}
// CHECK-DAG: ptx opcode ld.u32 1{{$}}
// CHECK-NOT: sass opcode LDS
// CHECK-DAG: sass opcode STG 1{{$}}
__global__ void spin(int* p) {}
// CHECK-LABEL: kernel spin_volatile
// CHECK: sass opcode LDS.U 12{{$}}
// CHECK: finding spin-lost
__global__ void spin_volatile(int* p) {}
"""


def instead(old, new):
    """SOUND with one change."""
    assert old in SOUND, old
    return SOUND.replace(old, new)


RULES = {
    directives_are_known: (
        SOUND + "// CHECK-NXT: ptx loop\n",
        SOUND + "// CHECK : ptx loop\n",
        SOUND + "// CHECK-NEXT ptx loop\n",
        SOUND + "// CHEK: ptx loop\n",
        SOUND + "// CHCEK-NOT: ptx loop\n",
        SOUND + "// RUN : %ptxlab check %s\n",
        SOUND + "// RNU: %ptxlab check %s\n",
    ),
    prefixes_are_used: (
        SOUND + "// SM80: ptx loop\n",
        SOUND + "// SM80-NOT: ptx loop\n",
        SOUND + "// RUN: %FileCheck %s --check-prefixes=CHECK,SM90 --input-file %t\n",
    ),
    runs_judge: (
        "// RUN: %nvcc -ptx %s -o %t\n// RUN: cat %t\n",
        "__global__ void k() {}\n",
        instead("%FileCheck %s", "FileCheck %s") + "// RUN: %FileCheck %s --input-file %t\n",
        SOUND + "// RUN: not nvcc -ptx %s\n",
        SOUND + "// RUN: %ptxlab check %s || true\n",
    ),
    output_is_read: (
        SOUND + "// RUN: %ptxlab inspect %s > %t.more\n",
        SOUND + "// RUN: %FileCheck %s --input-file %t\n// RUN: %ptxlab list > %t\n",
    ),
    blocks_ask_for_something: (
        SOUND + "// CHECK-LABEL: kernel last\n// CHECK-NOT: sass opcode LDS\n",
        SOUND + "// RUN: %FileCheck %s --check-prefix=NONE --input-file %t\n// NONE-NOT: sass opcode LDS\n",
    ),
    labels_are_whole: (
        instead("spin{{$}}", "spin"),
        instead("// CHECK-LABEL: kernel spin_volatile\n", "").replace("spin{{$}}", "spin"),
    ),
    numbers_are_whole: (
        instead("12{{$}}", "12"),
        SOUND + "// CHECK-LABEL: kernel last\n// CHECK: resource barriers 1\n",
    ),
    gone_has_a_sibling: (
        instead("-NOT: sass opcode LDS", "-NOT: sass opcode LSD"),
        instead("-NOT: sass opcode LDS", "-NOT: sass opcode {{LDS|ATOMG}}"),
        instead("-NOT: sass opcode LDS", "-NOT: sass loop"),
        SOUND + "// CHECK-NOT: finding spin-weak\n",
    ),
    nots_can_see: (
        instead("-NOT: sass opcode LDS", "-NOT: ptx opcode ld.shared").replace(
            "12{{$}}", "12{{$}}\n// CHECK: ptx opcode ld.shared.u32").replace("-DAG: ptx opcode ld.u32",
                                                                             "-DAG: ptx opcode st.u32"),
        instead("STG 1{{$}}", "LDG 1{{$}}"),
    ),
}


def broken_rules(text):
    """The rules that a tree with this one test file breaks."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "kernels", "a"))
        with open(os.path.join(root, "kernels", "a", "a.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        return {rule for rule in RULES if any(rule(root))}


def main(root):
    results = [(rule.__doc__, list(rule(root))) for rule in RULES]
    count = sum(len(test.checks) for test in tests(root))
    results.append(("check lines were found", [] if count > 100 else [f"found {count}"]))
    results.append(("control: a sound file breaks no rule",
                    [rule.__doc__ for rule in broken_rules(SOUND)]))
    for rule, texts in RULES.items():
        # A fault may break a second rule too (a misspelt prefix is also an unused one).
        missed = [text for text in texts if rule not in broken_rules(text)]
        results.append((f"control: a file breaks '{rule.__doc__}'", missed))
    print(f"1..{len(results)}")
    for number, (name, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {number} - {name}")
        for fault in faults:
            print("#   " + fault.replace("\n", "\n#   "))
    return 1 if any(faults for _, faults in results) else 0


if __name__ == "__main__":
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else here))
