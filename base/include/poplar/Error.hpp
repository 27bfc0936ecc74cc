// Another name for <poplar/exceptions.hpp>.
#pragma once
#include <poplar/exceptions.hpp>
