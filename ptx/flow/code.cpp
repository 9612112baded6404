// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/code.hpp"

namespace ptxlab::flow {

const char* name(space s) {
  switch (s) {
    case space::none:
      return "none";
    case space::generic:
      return "generic";
    case space::global:
      return "global";
    case space::shared:
      return "shared";
    case space::local:
      return "local";
    case space::constant:
      return "constant";
    case space::param:
      return "param";
    case space::texture:
      return "texture";
  }
  return "none";
}

const char* name(scope s) {
  switch (s) {
    case scope::none:
      return "";
    case scope::cta:
      return "cta";
    case scope::cluster:
      return "cluster";
    case scope::gpu:
      return "gpu";
    case scope::sys:
      return "sys";
  }
  return "";
}

std::string strength(const op& o) {
  if (o.what == kind::atomic || o.what == kind::reduction) return "atomic";
  const char* word = "weak";
  switch (o.ordering) {
    case order::weak:
      return "weak";
    case order::nc:
      return "nc";
    case order::shared:
      return "shared";
    case order::volatile_:
      return "volatile";
    case order::relaxed:
      word = "relaxed";
      break;
    case order::strong:
      word = "strong";
      break;
    case order::release:
      word = "release";
      break;
    case order::acquire:
      word = "acquire";
      break;
    case order::acq_rel:
      word = "acq_rel";
      break;
    case order::sc:
      word = "sc";
      break;
  }
  return o.reach == scope::none ? word : std::string(word) + "." + name(o.reach);
}

}  // namespace ptxlab::flow
