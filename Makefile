# SPDX-License-Identifier: Apache-2.0
# The whole build of ptxlab. Sources are found by wildcard: adding a file is all there is to do.
# `make help` lists the targets. V=1 shows whole commands and the output of every test runner.
#
#   TOOLKIT=auto|system|pypi  which CUDA toolkit (analysis/toolchain/setup.sh); kept until changed
#   STRICT=1                  a missing tool, or a test skipped for want of one, is a failure
#   CXX, CXXFLAGS, LDFLAGS    as usual; FUZZ_SECONDS=30 per fuzz target; TESTS=... for check-lit

SHELL       := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := inspect
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
JOBS := $(shell nproc)
ifeq ($(MAKELEVEL),0)  # a -jN on the command line wins over this
MAKEFLAGS += -j$(JOBS)
endif

CXXFLAGS     ?= -O2
first_of      = $(or $(firstword $(shell command -v $(1))),$(firstword $(1)))
CLANGXX       = $(call first_of,clang++ clang++-14)
CLANG_FORMAT  = $(call first_of,clang-format-14 clang-format)
CLANG_TIDY    = $(call first_of,clang-tidy-14 clang-tidy)
PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 30
TESTS        ?= kernels tests/lit
STAMP        := $(shell cat build/setup.stamp 2>/dev/null)
TOOLKIT      ?= $(or $(STAMP),auto)
export STRICT TOOLKIT

Q    := $(if $(V),,@)
show  = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

# --- what there is ---------------------------------------------------------------------------------

find       = $(sort $(shell find $(1) -name '$(2)' -not -path '*/Inputs/*' 2>/dev/null))
FINDINGS  := $(call find,analysis/findings,*.cpp)
TOPICS    := $(call find,analysis/report/topics,*.cpp)
LIBRARY   := $(filter-out $(FINDINGS) $(TOPICS),$(call find,ptx analysis,*.cpp))
KERNELS   := $(call find,kernels,*.cu)
TRIED     := $(shell grep -l '\.rehearse = ' $(KERNELS))
DRIVER    := $(filter-out driver/main.cpp driver/google/%,$(call find,driver,*.cpp))
UNIT      := $(call find,tests/unit,*_test.cc)
GOLDEN    := $(call find,tests/golden,*.cpp)
FUZZERS   := $(patsubst %_fuzz.cc,%,$(notdir $(call find,tests/fuzz,*_fuzz.cc)))
BENCHES   := $(call find,tests/bench,*_bench.cc)
FORMATTED := $(foreach x,cpp hpp cc cuh,$(call find,ptx analysis driver kernels tests,*.$(x)))

AVX2      := $(filter ptx/machine/operations/avx2/%,$(LIBRARY))
objects    = $(addprefix build/$(1)/,$(addsuffix .o,$(basename $(2))))
# Kernels, findings and topics register themselves before main, so their objects are linked as they are: an
# archive would leave them out.
REGISTERED := $(KERNELS) kernels/catalogue.cpp $(FINDINGS) $(TOPICS)

# --- compiling -------------------------------------------------------------------------------------

CPPFLAGS += -I. $(shell pkg-config --cflags fmt nlohmann_json 2>/dev/null)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Werror
# g++ 12 sees uninitialised values in <regex> when it instruments.
SANITIZE := -O1 -g1 -Wno-maybe-uninitialized -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LINK_FUZZ   := -fsanitize=fuzzer,address,undefined
LINK_STATIC := -static-libstdc++ -static-libgcc -Wl,--gc-sections

# $(call compile,COMPILER,FLAGS)
define compile
$(call show,$(notdir $(1)),$@)
@mkdir -p $(@D)
$(Q)$(1) -std=c++20 $(2) -pthread $(WARNINGS) $(CPPFLAGS) -MMD -MP $(if $(filter %.gch,$@),-x c++-header,-c) $< -o $@
endef

# What most sources include, parsed once for what is not optimised: most of a second of each file. With
# optimisation g++ 12 crashes on some that begin so.
OFTEN := algorithm array cmath cstdint filesystem functional map memory optional set span string string_view vector fmt/format.h
build/%/often.hpp: Makefile
	@mkdir -p $(@D) && printf '#include <%s>\n' $(OFTEN) $(if $(filter tests,$*),gtest/gtest.h) >$@
build/tests/often.hpp.gch: build/tests/often.hpp | build/setup.stamp
	$(call compile,$(CXX),$(CXXFLAGS) -O0)
build/asan/often.hpp.gch: build/asan/often.hpp | build/setup.stamp
	$(call compile,$(CXX),$(SANITIZE) -O0)

# $(call compiled_into,FOLDER,COMPILER,FLAGS,SET-UP): one set of rules for each way to build the sources. The
# second half of a kernel file is C++; its identifier comes from its path.
define compiled_into
build/$(1)/%.o: %.cpp Makefile | $(4)
	$$(call compile,$(2),$(3))
build/$(1)/%.o: %.cc Makefile | $(4)
	$$(call compile,$(2),$(3))
build/$(1)/kernels/%.o: kernels/%.cu Makefile | $(4)
	$$(call compile,$(2),$(3) -x c++ -Wno-missing-field-initializers \
	  -DPTXLAB_ID='"$$*"' -DPTXLAB_PATH='"kernels/$$*.cu"')
endef
$(eval $(call compiled_into,obj,$$(CXX),$$(CXXFLAGS),build/setup.stamp))
$(eval $(call compiled_into,asan,$$(CXX),$$(SANITIZE),build/setup.stamp))
$(eval $(call compiled_into,fuzz,$$(CLANGXX),$$(FUZZ),build/setup-fuzz.stamp))
-include $(shell find build/obj build/asan build/fuzz -name '*.d' 2>/dev/null)

# Tests are compiled once and run once, and declarations and the command line do nothing that takes time:
# optimising them costs more than it gains.
$(call objects,obj,$(KERNELS)): private CXXFLAGS += -O0
RUN_ONCE := $(call objects,obj,$(UNIT) $(GOLDEN) $(call find,driver/commands,*.cpp))
$(RUN_ONCE): private CXXFLAGS += -O0 -include build/tests/often.hpp
$(RUN_ONCE): | build/tests/often.hpp.gch
# What waits for tools, files and terminals takes a quarter less to compile.
build/obj/driver/%.o build/obj/analysis/report/%.o build/obj/analysis/toolchain/%.o: CXXFLAGS += -O1
# But what it runs against GPUs shall be fast.
build/obj/driver/bench/cpu_rivals.o: CXXFLAGS += -O3
# The machine rounds as PTX says, so nothing is contracted; nobody looks at traps or errno, which keep
# conversions and roots from becoming vector code.
MACHINE := -ffp-contract=off -fno-trapping-math -fno-math-errno
build/obj/ptx/machine/%.o: CXXFLAGS += -O3 $(MACHINE)
build/asan/ptx/machine/%.o: SANITIZE += $(MACHINE)
# These run little and are long to optimise where every access is checked.
UNOPTIMISED := $(call objects,asan,$(filter analysis/%,$(LIBRARY)) $(FINDINGS) $(TOPICS) $(DRIVER))
$(UNOPTIMISED): private SANITIZE += -O0 -include build/asan/often.hpp
$(UNOPTIMISED): | build/asan/often.hpp.gch
build/fuzz/ptx/machine/%.o: FUZZ += $(MACHINE)
# Without branches on purpose.
build/fuzz/ptx/machine/%.o: WARNINGS += -Wno-bitwise-instead-of-logical
# The only ones that read CUDA headers: cuda_occupancy.h, and cuda.h in the driver.
build/%/analysis/facts/occupancy.o: CPPFLAGS += -isystem build/toolkit/include
READS_CUDA := $(DRIVER) $(UNIT) $(GOLDEN) tests/golden/record.cc
$(call objects,obj,$(READS_CUDA)) $(call objects,asan,$(READS_CUDA)): CPPFLAGS += -isystem build/toolkit/include

# Debian has no static libfmt, and the program shall start where no fmt is installed: everything that
# the library defines, compiled once.
build/obj/fmt.o: Makefile | build/setup.stamp
	$(call show,$(CXX),$@)
	@mkdir -p $(@D)
	$(Q)printf '%s\n' '#define FMT_HEADER_ONLY' '#include <fmt/format.h>' \
	  '[[gnu::used]] static std::string (*const keep)(fmt::string_view, fmt::format_args) = &fmt::vformat;' | \
	  $(CXX) -std=c++20 -O2 -fkeep-inline-functions -ffunction-sections -x c++ -c - -o $@

build/lib/libptxlab.a: $(call objects,obj,$(LIBRARY))
build/fuzz/libptxlab.a: $(call objects,fuzz,$(LIBRARY))
%/libptxlab.a:
	$(call show,ar,$@)
	@mkdir -p $(@D) && rm -f $@
	$(Q)ar rcs $@ $^

# --- linking ---------------------------------------------------------------------------------------

# $(call link,COMPILER,FLAGS AND LIBRARIES)
define link
$(call show,link,$@)
@mkdir -p $(@D)
$(Q)$(1) -pthread $(LDFLAGS) $^ $(2) -o $@
endef

build/ptxlab: $(call objects,obj,driver/main.cpp $(DRIVER) $(REGISTERED)) build/lib/libptxlab.a \
  build/obj/fmt.o
	$(call link,$(CXX),$(LINK_STATIC) -l:libnettle.a -ldl)
# Google Benchmark is a part of its own: the program starts where the library is not installed.
build/obj/driver/google/%.o: CXXFLAGS += -fPIC
build/lib/ptxlab_google.so: build/obj/driver/google/benchmark.o
	$(call link,$(CXX),-shared -lbenchmark)
# CUB and Thrust, to stand beside what is measured; long to compile, so only when asked for.
RIVAL_ARCH ?= sm_90
build/lib/ptxlab_rivals.so: $(call find,driver/rivals,*.cu) $(wildcard driver/rivals/*.hpp) | build/setup.stamp
	$(call show,nvcc,$@)
	@mkdir -p $(@D)
	$(Q)$(or $(PTXLAB_NVCC),build/toolkit/bin/nvcc) -std=c++17 -O3 -shared -Xcompiler -fPIC -cudart static -arch=$(RIVAL_ARCH) -I. \
	  $(filter %.cu,$^) -o $@
build/tests/unit_tests: $(call objects,obj,$(UNIT) $(GOLDEN) $(DRIVER) $(REGISTERED)) build/lib/libptxlab.a
	$(call link,$(CXX),$$(pkg-config --libs gtest_main fmt nettle) -ldl)
# Sanitized is what reads input and keeps state. Left as they are: tests, declarations, the command line,
# tables and figures, and what needs a GPU, which would only cost time to compile, and the AVX2 clones of
# operations, whose source is sanitized as the clone for any processor. Sanitized objects come first, so that their copies of inline
# functions win.
UNSANITIZED := $(filter driver/commands/% driver/bench/% driver/cuda/% analysis/report/%,$(DRIVER) $(LIBRARY) $(TOPICS)) $(AVX2)
build/asan/unit_tests: $(call objects,asan,$(filter-out $(UNSANITIZED),$(LIBRARY) $(FINDINGS) $(DRIVER))) \
  $(call objects,obj,$(UNIT) $(GOLDEN) $(UNSANITIZED) $(KERNELS) kernels/catalogue.cpp)
	$(call link,$(CXX),$(SANITIZE) $$(pkg-config --libs gtest_main fmt nettle) -ldl)
# Measures golden values on a machine that may have neither a compiler nor any library.
build/tests/golden_record: $(call objects,obj,tests/golden/record.cc $(GOLDEN) $(filter driver/cuda/%,$(DRIVER))) \
  build/lib/libptxlab.a build/obj/fmt.o
	$(call link,$(CXX),$(LINK_STATIC) -ldl)
build/tests/%_bench: build/obj/tests/bench/%_bench.o $(call objects,obj,$(REGISTERED)) build/lib/libptxlab.a
	$(call link,$(CXX),-lbenchmark_main $$(pkg-config --libs benchmark fmt) -ldl)
build/fuzz/%_fuzz: build/fuzz/tests/fuzz/%_fuzz.o $(call objects,fuzz,$(REGISTERED)) \
  build/fuzz/libptxlab.a
	$(call link,$(CLANGXX),$(LINK_FUZZ) $$(pkg-config --libs fmt) -ldl)
.SECONDARY:  # objects between source and program are kept

# --- the main job ----------------------------------------------------------------------------------

.PHONY: inspect build rivals setup
inspect: build ## (default) set up, build, say of every kernel what both compilers made of it, and try some
	$(Q)$(TOOLS) build/ptxlab inspect --summary $(KERNELS)
	@echo
	$(Q)$(TOOLS) build/ptxlab try $(TRIED)
	@echo "A GPU would add what no compiler's output tells: how long it all takes. Nothing here needs one."

rivals: build/lib/ptxlab_rivals.so ## what reductions and sorts are timed beside: minutes; RIVAL_ARCH=sm_90
build: build/ptxlab build/lib/ptxlab_google.so ## set up and build the program, build/ptxlab

setup: build/setup.stamp ## install what is missing (Debian packages, tools below build/venv)
build/setup.stamp: $(wildcard analysis/toolchain/setup.sh analysis/toolchain/requirements*.txt) \
  $(if $(filter-out $(STAMP),$(TOOLKIT)),always)
	@analysis/toolchain/setup.sh
.PHONY: always

build/setup-%.stamp: analysis/toolchain/setup.sh | build/setup.stamp
	@$< $* && touch $@

# What the program and the tests are told of tools, unless the user has said it; expanded when used,
# so after the set-up.
tool  = $(if $(PTXLAB_$(1)),,$(shell [ ! -x build/$(2) ] || echo PTXLAB_$(1)=$(CURDIR)/build/$(2)))
TOOLS = PTXLAB_ROOT=$(CURDIR) $(call tool,NVCC,toolkit/bin/nvcc) \
  $(call tool,NVDISASM,venv/bin/nvdisasm) $(call tool,CUOBJDUMP,venv/bin/cuobjdump)

# --- tests -----------------------------------------------------------------------------------------

# asan is in two parts: it runs when little else is left to do.
RUNNERS := layering checklint unit asan1 asan2 lit outside
.PHONY: check $(RUNNERS:%=check-%) check-asan check-corpus check-gpu
check: $(RUNNERS:%=check-%) ## set up, build and run every test that needs no GPU
	@python3 tests/summary.py build/results $(RUNNERS)

# $(call run,NAME,COMMAND): leaves report, output and exit status in build/results for the summary,
# which decides; on its own (`make check-lit`) a runner is summed up at once.
define run
@mkdir -p build/results && rm -f build/results/$(1).*
$(call show,test,$(1))
$(Q)log=build/results/$(1).log; ( $(TOOLS) $(2) ) </dev/null $(if $(V),2>&1 | tee $$log,>$$log 2>&1); \
  status=$$?; [ $$status -eq 0 ] || $(if $(V),true,cat $$log); echo $$status >build/results/$(1).rc
$(if $(filter check,$(MAKECMDGOALS)),,@python3 tests/summary.py build/results $(1))
endef
check-layering: | setup ## dependencies point one way
	$(call run,layering,python3 tests/layering.py | tee build/results/layering.tap)
check-checklint: | setup ## our own check lines: misspelt, unused, blind
	$(call run,checklint,python3 tests/check_lint.py | tee build/results/checklint.tap)
check-unit: build/tests/unit_tests ## unit tests
	$(call run,unit,build/tests/unit_tests --gtest_brief=1 --gtest_output=xml:build/results/unit.xml)
check-asan: check-asan1 check-asan2 ## unit tests under AddressSanitizer and UBSan
check-asan1 check-asan2: export UBSAN_OPTIONS := print_stacktrace=1
check-asan1 check-asan2: export PTXLAB_NO_AVX2 := 1
check-asan1 check-asan2: check-asan%: build/asan/unit_tests
	$(call run,asan$*,GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$$(($*-1)) build/asan/unit_tests \
	  --gtest_brief=1 --gtest_output=xml:build/results/asan$*.xml)
check-corpus: export PTXLAB_CORPUS := all
check-corpus: build/tests/unit_tests ## the PTX reader on every file and architecture: minutes, the first time
	$(call run,corpus,build/tests/unit_tests --gtest_brief=1 --gtest_filter='ptx_corpus.*' \
	  --gtest_output=xml:build/results/corpus.xml)
check-lit: build ## lit suites; TESTS=kernels/barrier runs a part
	$(call run,lit,$(LIT) -j$(JOBS) --xunit-xml-output build/results/lit.xml $(TESTS))
check-outside: build ## install, and gate another project's kernel with what was installed
	$(call run,outside,tests/outside.sh | tee build/results/outside.tap)

LIT = $(if $(shell [ -x build/venv/bin/lit ] && echo 1),build/venv/bin/lit -sv, \
  printf '1..1\nok 1 - lit suites \043 SKIP lit is not installed\n' >build/results/lit.tap; true)

check-gpu: ## the tests that need an NVIDIA GPU; runs nothing, and says so, without one
	@$(if $(wildcard /dev/nvidiactl),,echo "check-gpu: runs kernels on a GPU; none here (no" \
	  "/dev/nvidiactl), so nothing was run"; exit 77)
	@$(if $(wildcard tests/gpu),,echo "check-gpu: there is no test in tests/gpu"; exit 77)
	@$(MAKE) --no-print-directory check-lit TESTS=tests/gpu

.PHONY: fuzz bench-host $(FUZZERS:%=fuzz-%)
fuzz: $(FUZZERS:%=fuzz-%) ## each fuzz target for FUZZ_SECONDS; new inputs go to build/fuzz/corpus
$(FUZZERS:%=fuzz-%): fuzz-%: build/fuzz/%_fuzz
	@mkdir -p build/fuzz/corpus/$* build/fuzz/found
	$(call show,fuzz,$* for $(FUZZ_SECONDS) s)
	$(Q)$(TOOLS) $< -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	  -artifact_prefix=build/fuzz/found/$*- $(addprefix -dict=,$(wildcard tests/fuzz/$*.dict)) build/fuzz/corpus/$* $(wildcard tests/fuzz/corpus/$*) \
	  $(if $(V),,>build/fuzz/$*.log 2>&1) || { $(if $(V),true,tail -n 40 build/fuzz/$*.log); exit 1; }
	@$(if $(V),,sed -n 's/^stat::number_of_executed_units: */  $*: inputs run: /p' build/fuzz/$*.log)

bench-host: $(BENCHES:tests/bench/%.cc=build/tests/%) | $(addprefix build/bench/cub.,ptx json sass) ## speed of the readers
	@$(foreach b,$^,$(TOOLS) $(b) --benchmark_counters_tabular=true $(BENCH_FLAGS) &&) true
# Their input, as `inspect` would have it made: a large file that instantiates CUB.
bench_tool = $(Q)mkdir -p $(@D) && $(or $(PTXLAB_$(2)),build/$(3))
build/bench/%.ptx: tests/bench/Inputs/%.cu | build/setup.stamp
	$(call bench_tool,nvcc,NVCC,toolkit/bin/nvcc) -ptx -lineinfo -arch=sm_90 $< -o $@
build/bench/%.cubin: build/bench/%.ptx
	$(call bench_tool,nvcc,NVCC,toolkit/bin/nvcc) -cubin -lineinfo -arch=sm_90 $< -o $@
build/bench/%.json: build/bench/%.cubin
	$(call bench_tool,dis,NVDISASM,venv/bin/nvdisasm) -json $< >$@
build/bench/%.sass: build/bench/%.cubin
	$(call bench_tool,dis,NVDISASM,venv/bin/nvdisasm) -g -gp -c $< >$@

# --- care ------------------------------------------------------------------------------------------

.PHONY: format lint size report docs install uninstall clean distclean help
format: | build/setup-lint.stamp ## format C++ in place (kernel files are left alone: their CHECK lines are long)
	$(Q)$(CLANG_FORMAT) -i $(FORMATTED)

lint: | build/setup-lint.stamp ## clang-format must not want a change; clang-tidy, where it is installed
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)
	$(Q)if command -v $(CLANG_TIDY) >/dev/null; then \
	  printf '%s\n' $(LIBRARY) $(FINDINGS) $(TOPICS) $(DRIVER) | xargs -P$(JOBS) -I{} $(CLANG_TIDY) --quiet {} -- \
	    -std=c++20 $(CPPFLAGS) -isystem build/toolkit/include; \
	else echo "lint: no clang-tidy, so only the format was checked"; [ -z "$(STRICT)" ]; fi

size: ## lines per folder, so that growth is seen
	@find ptx analysis driver kernels tests docs Makefile -type f -not -path '*/data/*' -not -path '*/corpus/*' \
	  -not -name '*.pyc' | xargs wc -l | awk '$$2 != "total" { n = split($$2, p, "/"); \
	  d = n > 2 ? p[1] "/" p[2] : p[1]; lines[d] += $$1; files[d]++; all += $$1 } END { for (d in lines) \
	  printf "%7d lines %4d files  %s\n", lines[d], files[d], d | "sort -k5"; close("sort -k5"); \
	  printf "%7d lines in all\n", all }'

# The archived results: what has a page of its own, and what the handbook has beside it.
H200 := docs/data/h200/2026-11-30/bench.json
HANDBOOK := $(H200) docs/data/h200/2026-11-30/handbook.json
# A page of the handbook is a topic of the report.
comma := ,
HANDBOOK_TOPICS := $(subst $() ,$(comma),$(basename $(notdir $(wildcard docs/handbook/*.md))))
report: build ## rewrite docs/H200.md, docs/barriers.md, docs/handbook and docs/figures from the archived results
	@$(TOOLS) build/ptxlab report $(H200) --format md --plots docs/figures/h200 >docs/H200.md
	@$(TOOLS) build/ptxlab report $(H200) --topic barrier --format md --plots docs/figures/barriers >/dev/null
	@$(TOOLS) build/ptxlab report $(HANDBOOK) --topic $(HANDBOOK_TOPICS) --format md --plots docs/figures/handbook >/dev/null
	@$(TOOLS) python3 docs/refresh.py docs/barriers.md docs/handbook/*.md
docs: build ## rewrite the parts of the documents that the program prints
	@build/ptxlab explain >docs/FINDINGS.md
	@$(TOOLS) python3 docs/evidence.py >build/evidence.csv && mv build/evidence.csv docs/data/barrier_evidence.csv
	@$(TOOLS) python3 docs/refresh.py README.md docs/*.md docs/handbook/*.md

share := $(DESTDIR)$(PREFIX)/share/ptxlab
lib   := $(DESTDIR)$(PREFIX)/lib/ptxlab
install: build ## PREFIX=/usr/local, DESTDIR=: program and disassemblers, ptx/device headers, lit helper
	@install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include/ptxlab/ptx/device $(share)/lit \
	  $(share)/doc $(share)/data $(lib)/venv/bin
	@install -m 755 build/ptxlab $(DESTDIR)$(PREFIX)/bin/ptxlab
	@install -m 755 build/lib/ptxlab_google.so $(lib)/
	@[ ! -f build/lib/ptxlab_rivals.so ] || install -m 755 build/lib/ptxlab_rivals.so $(lib)/
	@install -m 644 $(wildcard ptx/device/*.cuh ptx/device/*.hpp) $(DESTDIR)$(PREFIX)/include/ptxlab/ptx/device/
	@install -m 644 analysis/toolchain/ptxlab_lit.py $(share)/lit/
	@install -m 644 docs/USING.md docs/EXPECTATIONS.md docs/CODEGEN_TESTS.md docs/RESULTS.md $(wildcard docs/FINDINGS.md) $(share)/doc/
	@install -m 644 docs/data/*.csv $(share)/data/
	@for tool in nvdisasm cuobjdump; do \
	  if [ -x build/venv/bin/$$tool ]; then install -m 755 build/venv/bin/$$tool $(lib)/venv/bin/; \
	  else echo "no copy of $$tool: the installed ptxlab takes the one on PATH or in PTXLAB_$${tool^^}"; fi; done
	@echo "installed in $(DESTDIR)$(PREFIX): bin/ptxlab include/ptxlab lib/ptxlab share/ptxlab; nvcc and" \
	  "ptxas are taken from PATH, /usr/local/cuda or PTXLAB_NVCC (ptxlab doctor shows which)"
uninstall: ## what install put there
	@rm -rf $(DESTDIR)$(PREFIX)/bin/ptxlab $(DESTDIR)$(PREFIX)/include/ptxlab $(lib) $(share)

clean: ## everything that was built; keeps the tools below build/venv
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 -not -name venv -not -name toolkit -not -name '*.stamp' \
	  -exec rm -rf {} +
distclean: ## everything below build/
	@rm -rf build

help: ## this list
	@awk -F':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile
