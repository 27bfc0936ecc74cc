// Another name of <poplar/exceptions.hpp>.
#pragma once
#include <poplar/exceptions.hpp>
