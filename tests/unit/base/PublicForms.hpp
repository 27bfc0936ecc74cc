// Functions of PublicForms.cpp, which is compiled as C++11, for the tests.
#pragma once
#include <string>

/// Returns the sum over a view. `form` numbers the ways to construct a view that programs use; -1 = no such way.
int sumOfForm(int form);
constexpr int kNumForms = 9; // ways 0 to 8, each sums to 6
/// Returns the debug path of call form number `form`; "?" = no such form.
std::string pathOfForm(int form);
constexpr int kNumPathForms = 12;
/// Returns the name of FLOAT, which a static initialiser of PublicForms.cpp copied. The text ends with "?" if another
/// static initialiser read a wrong value of HALF.
std::string typeSeenByStaticInitialiser();
