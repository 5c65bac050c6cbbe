#include <fencecheck/designs/catalogue.h>

#include "entries.h"
