// SPDX-License-Identifier: Apache-2.0
// The machine behind the interface that GPUs have too.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "driver/backend/buffer.hpp"
#include "driver/backend/cpu.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::harness {
namespace {

constexpr const char* text = R"(.version 9.0
.target sm_90
.address_size 64
.global .align 4 .u32 offset = 7;
.visible .entry shifted(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  ld.global.u32 %r3, [offset];
  add.u32 %r2, %r2, %r3;
  st.global.u32 [%rd5], %r2;
  ret;
}
)";

/// What any program that only knows the interface would do.
std::vector<int> shift_all(backend& on, const std::vector<int>& in, std::size_t room) {
  const module_handle m = on.load({"shifted.ptx", text, ""});
  const function_handle f = on.function(m, "shifted");
  const buffer<int> from(on, in, "from");
  const buffer<int> to(on, std::vector<int>(room), "to");
  const device_address both[] = {from.address(), to.address()};
  launch_shape shape;
  shape.block[0] = static_cast<std::uint32_t>(in.size());
  on.launch(f, shape, std::as_bytes(std::span(both)));
  on.synchronise();
  return to.download();
}

TEST(cpu_backend, runs_a_kernel_over_typed_buffers) {
  cpu_backend on;
  std::vector<int> in(100);
  std::iota(in.begin(), in.end(), 0);
  const std::vector<int> out = shift_all(on, in, 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 7);
  EXPECT_EQ(on.report().how, machine::ending::finished);
}

TEST(cpu_backend, a_fault_is_an_error_of_synchronise) {
  cpu_backend on;
  try {
    shift_all(on, std::vector<int>(64), 32);
    FAIL() << "nothing was thrown";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("'to', which has 128"), std::string::npos) << e.what();
  }
}

TEST(cpu_backend, variables_can_be_set_and_read) {
  cpu_backend on;
  const module_handle m = on.load({"shifted.ptx", text, ""});
  const auto [at, bytes] = on.variable(m, "offset");
  EXPECT_EQ(bytes, 4u);
  std::uint32_t value = 0;
  on.copy_from(std::as_writable_bytes(std::span(&value, 1)), at);
  EXPECT_EQ(value, 7u);
}

TEST(cpu_backend, knows_attributes_and_says_what_it_does_not_know) {
  cpu_backend on;
  const function_handle f = on.function(on.load({"shifted.ptx", text, ""}), "shifted");
  EXPECT_EQ(on.attribute(device_attribute::multiprocessors), 132u);
  EXPECT_EQ(on.attribute(f, function_attribute::max_threads), 1024u);
  EXPECT_EQ(on.attribute(f, function_attribute::static_shared), 0u);
  EXPECT_EQ(on.attribute(f, function_attribute::registers), std::nullopt);
}

TEST(cpu_backend, refuses) {
  cpu_backend on({}, 1 << 20);
  EXPECT_THROW(on.load({"x", "", ""}), error);
  EXPECT_THROW(on.load({"x", "nonsense", ""}), error);
  const module_handle m = on.load({"shifted.ptx", text, ""});
  EXPECT_THROW(on.function(m, "shfted"), error);
  EXPECT_THROW(on.variable(m, "nothing"), error);
  EXPECT_THROW(buffer<int>(on, 1 << 20, "too much"), error);
  const function_handle f = on.function(m, "shifted");
  EXPECT_THROW(on.launch(f, {}, {}), error);  // no parameters
  launch_shape none;
  none.grid[1] = 0;
  const std::byte parameters[16] = {};
  EXPECT_THROW(on.launch(f, none, parameters), error);
  buffer<int> b(on, 4, "b");
  EXPECT_THROW(b.upload(std::vector<int>(5)), error);
  EXPECT_THROW(on.release(b.address() + 4), error);
}

TEST(cpu_backend, a_buffer_gives_its_memory_back) {
  cpu_backend on;
  device_address at = 0;
  {
    const buffer<int> b(on, 4, "b");
    at = b.address();
  }
  std::byte one{};
  EXPECT_THROW(on.copy_from({&one, 1}, at), error);
}

}  // namespace
}  // namespace ptxlab::harness
