// SPDX-License-Identifier: Apache-2.0
// The vocabulary of a kernel file's declaration. Pure data, no CUDA header: the second half of a
// kernel file is compiled by the host compiler and lands in the catalogue of `ptxlab`.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxlab::kernels {

/// Size in bytes of one kernel parameter; compared with the PTX's `.param` list.
enum class param : std::uint32_t {
  u8 = 1,
  u16 = 2,
  u32 = 4,
  u64 = 8,
  pointer = 8,
  f32 = 4,
  f64 = 8
};

/// How a kernel is measured; driver/bench/protocols has one file for each.
enum class protocol : std::uint8_t {
  none,        ///< looked at, not measured
  latency,     ///< a chain of dependent copies, one warp
  throughput,  ///< independent streams, over the number of warps of one SM
  rounds,      ///< barriers and fences: what orders itself, by threads and blocks
  chase,       ///< a chain of loads through a ring of addresses, by footprint and stride
  grid,        ///< rounds of a barrier over the whole grid
  pair,        ///< a word handed to and fro between two warps or blocks
  launch,      ///< one kernel after the other: what the host and the device take for it
  bandwidth,   ///< bytes moved by the whole device
  resolution,  ///< the smallest step of a counter
  event,       ///< rounds of a whole kernel, timed from outside
  litmus,      ///< what one block sees of another's writes across a barrier, counted
  transform,   ///< X -> P -> X again and again, by launches or behind barriers, timed from outside
  races,       ///< X -> P -> X once, many times over: wrong elements, by warp and by block
  peer,        ///< two GPUs of one host: what passes between them
  texels,      ///< what a texture object reads, held against the host's reference, then timed
  transfer,    ///< bytes between the host and the device
  accuracy,    ///< a function of one or two numbers against its exact value
  reduction,   ///< a sum, timed from outside, beside rivals
  sorting,     ///< keys put in order, timed from outside, beside rivals
  random       ///< random numbers, held against a sequence, timed from outside, beside rivals
};

/// How a `launch` kernel is started again and again, and the steps of a `transform`; `once` is one
/// launch for all steps, which wait for each other inside.
enum class launcher : std::uint8_t { stream, graph, dependent, once };

/// A value of any type as the 64-bit word that a timed kernel reads it from.
constexpr std::uint64_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}
constexpr std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

/// The ring of addresses that a `chase` walks. The kernel builds it (time_ring), except in constant
/// memory, which only the host can write, and for a texture, which needs an object. A `throughput`
/// kernel has one for these two only: `footprint_bytes` of words, each of which names itself.
struct ring {
  enum class memory : std::uint8_t { global, constant, texture };
  /// An address (in memory that the host writes: bytes from the start), or a count of 4-byte words.
  enum class link : std::uint8_t { pointer, index };
  enum class order : std::uint8_t { sequential, random };
  memory where = memory::global;
  link what = link::pointer;
  order how = order::random;
  std::vector<unsigned> stride_bytes = {128};  ///< an axis
  std::vector<std::uint64_t> footprint_bytes;  ///< an axis
  std::vector<unsigned> footprint_l2;          ///< more of it, in multiples of the device's L2
  std::vector<std::uint64_t> offset_bytes;     ///< an axis: where in memory the ring starts
  bool beyond_l2 = false;                      ///< a footprint that fits twice the L2 is refused
  /// The module's variable that holds the ring (constant memory) or the texture object.
  std::string_view symbol;
};

/// What happens in a `peer` kernel between the GPU that is measured and another GPU or the host.
enum class meeting : std::uint8_t {
  none,
  chain,            ///< dependent copies on a word of either GPU's or the host's memory
  ring,             ///< a ring of links through such memory
  idle,             ///< copies of what orders itself, with nothing to wait for
  order,            ///< the same behind stores to such memory, whether or not somebody polls it
  hand_over,        ///< a word to and fro, with the other GPU or the host
  message,          ///< data and then a flag; the other side counts data that it did not see
  barrier,          ///< the blocks of both GPUs wait for each other
  checked_barrier,  ///< and count what they did not see of the others' writes
};

/// An operand of the kernel (operand<T>(in, index)) that takes one value after the other.
struct swept {
  std::string_view axis;  ///< its name in the results: "stride_bytes"; empty: nothing is swept
  unsigned operand = 0;
  std::vector<std::uint64_t> values = {};  ///< see bits()
};

/// The object that a `texels` kernel reads, and which modes are gone through: every list is an
/// axis.
struct texture {
  enum class source : std::uint8_t { linear, pitch, array };
  enum class format : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };
  enum class edge : std::uint8_t { wrap, clamp, mirror, border };  ///< numbered as CUaddress_mode
  source from = source::array;
  unsigned dimensions = 2;  ///< 1 to 3; a layer is not counted
  bool layered = false;
  std::vector<format> formats = {format::f32};
  unsigned channels = 1;
  std::vector<edge> edges = {edge::clamp};
  std::vector<bool> filtered = {false}, normalised = {false};
  bool as_float = false;                ///< integers are read as fractions of their largest value
  std::vector<unsigned> extent = {64};  ///< texels in x, an axis; y and z: see driver/bench
};

/// Where the bytes of a `transfer` lie in the host's memory, and which way they go; of a peer they
/// go to another GPU's memory.
struct copying {
  enum class path : std::uint8_t { pageable, pinned, mapped, peer };
  enum class way : std::uint8_t { to_device, to_host };
  path by = path::pinned;
  way to = way::to_device;
};

/// What an `accuracy` kernel should have computed, and of what.
struct function {
  std::string_view name;           ///< as driver/bench knows it: "sin", "divide", "mul24"
  double lowest = 0, highest = 0;  ///< of the first operand, both included
  double lowest_second = 0, highest_second = 0;  ///< of the second, where there is one
  std::uint64_t samples = 0;                     ///< 0: every number of the type between the ends
};

/// The type of the numbers of a reduction, a sort or a random sequence.
enum class number : std::uint8_t { u32, s32, f32, f64, u64 };

/// How a `reduction` comes to its sum.
struct summation {
  /// What one launch leaves.
  enum class leaves : std::uint8_t {
    sum,       ///< the sum, in out[0]
    partials,  ///< a sum for each tile, in out[tile]; launches follow until one is left
    in_place,  ///< document C: n / unroll sums where the numbers were; launches follow
    nothing    ///< it only reads: the roof
  };
  number of = number::f32;
  leaves by = leaves::sum;
  unsigned tile = 0;       ///< elements that a block takes at a time: no more blocks than tiles
  unsigned unroll = 0;     ///< of in_place: elements that a thread adds in a launch
  bool any_order = false;  ///< the last bits of a floating sum may change from run to run
  bool wide = false;       ///< f32 is added in f64 and rounded once
  std::vector<std::uint64_t> elements = {};  ///< an axis
  bool with_copies = false;  ///< timed also with the way of the data to the device and back
};

/// How a `sorting` kernel sorts.
struct sort {
  enum class place : std::uint8_t { block, launches, grid };  ///< where passes wait for each other
  place in = place::block;
  number of = number::u32;
  bool three_keys = false;  ///< the rule of document C: order, level, value
  unsigned columns = 0;     ///< words of payload beside each key
  /// Keys that a warp looks after: how many warps there are follows from it.
  unsigned warp_keys = 64;
  /// Of these, keys of a block that belong to the blocks beside it.
  unsigned borrowed = 0;
  /// In a launch, or between two barriers of the grid. More than one: from one memory to another.
  unsigned passes = 1;
  std::uint64_t most = 0;  ///< keys that it can sort; 0: whatever the grid holds
  bool stops = false;      ///< by itself, once two passes behind each other changed nothing
  bool counts = false;     ///< its exchanges
  /// Of launches, an axis: how many there are between two looks of the host at whether they still
  /// change anything; 0: it never looks.
  std::vector<unsigned> looks = {0};
  std::vector<std::uint64_t> elements = {};  ///< an axis
};

/// What a `random` kernel draws.
struct generator {
  enum class law : std::uint8_t { xorwow, sobol32, scrambled_sobol32 };
  enum class output : std::uint8_t { bits, uniform, normal, uniform_double, normal_double };
  law by = law::xorwow;
  output as = output::bits;
  std::string_view setup;                   ///< the kernel of the same file that makes the states
  std::vector<std::uint64_t> numbers = {};  ///< an axis
};

/// What a kernel's timed regions hold, and how it is launched. The kernel is one of the templates
/// of ptx/device/timing.cuh; analysis/timing holds its SASS to this.
// In the order in which they are read and written. NOLINTNEXTLINE(*.Padding)
struct measurement {
  protocol how = protocol::none;
  /// Opcodes of one copy in SASS (globs). The first is the one that is counted and, in a chain,
  /// followed from copy to copy; others belong to the copy too.
  std::vector<std::string_view> sass;
  unsigned per_copy = 1;  ///< how often the first stands in one copy
  unsigned chained = 0;   ///< how many of these need each other in a chain; 0: all
  unsigned copies = 32;   ///< the template's N
  bool expands = false;   ///< one copy is a sequence, which may branch and call: all of it counts
  std::vector<std::uint64_t> operands;  ///< the kernel's operands 0, 1, ...: see bits()
  std::vector<unsigned> threads = {};   ///< per block, an axis; empty: what the protocol says
  unsigned cluster_blocks = 0;          ///< blocks of the one cluster that is launched; 0: none
  ptxlab::kernels::ring ring = {};      ///< of a chase; of throughput: see there
  std::vector<unsigned> blocks = {};    ///< of a grid, an axis; 0: one on every SM
  std::vector<unsigned> blocks_per_sm = {};  ///< more of it: so many on every SM
  unsigned surplus_blocks = 0;  ///< of a grid: so many more than can be resident, which is refused
  bool cooperative = false;     ///< of a grid: launched cooperatively
  std::vector<unsigned> partners = {};    ///< of a pair, an axis: the other block; empty: one block
  launcher by = launcher::stream;         ///< of a launch
  std::vector<std::uint64_t> bytes = {};  ///< moved each round, an axis
  std::vector<unsigned> bytes_l2 = {};    ///< more of it, in multiples of the device's L2
  /// Bytes that count for each byte of `bytes` (2 where it is read and written), or for each lane's
  /// copy of a throughput kernel, which is then told in bytes.
  unsigned traffic = 1;
  std::vector<unsigned> terms = {};  ///< of a transform, an axis: elements in a sum; 0: all
  /// Of a litmus, an axis: how far off the other block is; 0: half of the blocks, which makes pairs
  /// that read each other.
  std::vector<unsigned> distances = {};
  std::vector<unsigned> skews = {};   ///< of races, an axis: cycles that the first warp begins late
  std::vector<unsigned> stress = {};  ///< of a litmus, an axis: words each thread stores before
  bool mutant = false;                ///< of a litmus: broken on purpose, may show forbidden values
  /// Of a kernel that is broken on purpose: words of the reason for which the gate has to refuse
  /// it.
  std::string_view refused = "";
  std::string_view published = "";  ///< quantity of docs/data/published_hopper.csv
  meeting meets = meeting::none;    ///< of a peer
  ptxlab::kernels::swept swept = {};
  ptxlab::kernels::texture texture = {};
  ptxlab::kernels::copying copying = {};
  ptxlab::kernels::function function = {};
  ptxlab::kernels::summation sum = {};
  ptxlab::kernels::sort sort = {};
  ptxlab::kernels::generator generator = {};
  /// Who does the same and is timed in the same point: "cub", "thrust", "curand", "one core", "all
  /// cores" (driver/bench/rivals.hpp).
  std::vector<std::string_view> rivals = {};
};

/// A small launch of a kernel on the PTX machine, for `ptxlab try`.
struct rehearsal {
  unsigned blocks = 0, threads = 0;  ///< 0 blocks: none
  bool cooperative = false;
  /// As `ptxlab run --arg` takes them: "buf:f32:128:zero:name=p", "u32:128".
  std::vector<std::string_view> arguments = {};
  std::string_view result = "";  ///< as `--compare` takes it: "x=1"
};

/// One way to write what the file is about: one `extern "C"` kernel.
struct variant {
  std::string_view symbol;    ///< the kernel's name; the last part of the identifier
  std::string_view says;      ///< one sentence: how it is written
  std::vector<param> params;  ///< in order; of a measured kernel left out: they are the template's
  /// Expectations (docs/EXPECTATIONS.md) that the facts must meet, without the kernel's name.
  std::vector<std::string_view> must;
  measurement measure = {};
  rehearsal rehearse = {};
};

/// The parameters of a variant: its own, or those of every timed kernel (samples, operands).
inline std::vector<param> parameters(const variant& v) {
  if (v.params.empty() && v.measure.how != protocol::none) return {param::pointer, param::pointer};
  return v.params;
}

/// What one kernel file declares. Identifiers are `family/name/variant`; family and name come from
/// the file's path through PTXLAB_ID and are never typed.
struct declaration {
  std::string_view question;  ///< one sentence; the header paragraphs say the rest
  /// Extra options for nvcc that belong to the question (for example -maxrregcount).
  std::string_view nvcc_flags = "";
  std::vector<variant> variants;
};

struct entry {
  std::string_view id;    ///< "family/name"
  std::string_view path;  ///< of the file, from the project's root
  declaration what;
};

/// The catalogue, sorted by id. Filled before main by one `registration` per kernel file.
std::vector<entry>& catalogue();

struct registration {
  registration(std::string_view id, std::string_view path, declaration what);
};

}  // namespace ptxlab::kernels

/// Ends a kernel file: PTXLAB_KERNEL({.question = ..., .variants = {...}});
#define PTXLAB_KERNEL(...)                                          \
  static const ::ptxlab::kernels::registration ptxlab_registration( \
      PTXLAB_ID, PTXLAB_PATH, ::ptxlab::kernels::declaration __VA_ARGS__)
