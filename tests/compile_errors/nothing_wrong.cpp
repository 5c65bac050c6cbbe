// The control: without a mistake it compiles.
#include "good.h"

std::unique_ptr<fencecheck::Design> design = fencecheck::make_design<fencecheck::tests::Good>();
