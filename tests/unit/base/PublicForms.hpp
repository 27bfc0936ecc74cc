// What PublicForms.cpp (compiled as C++11) offers to the tests.
#pragma once
#include <string>

/// Sum over a view made in each of the ways that programs use, by number; -1 = no such way.
int sumOfForm(int form);
constexpr int kNumForms = 9; // ways 0 to 8, each sums to 6
/// Debug paths of each call form, by number; "?" = no such form.
std::string pathOfForm(int form);
constexpr int kNumPathForms = 12;
/// Name of a type that a static initialiser of this file copied.
std::string typeSeenByStaticInitialiser();
