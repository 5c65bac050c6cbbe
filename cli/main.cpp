// The fencecheck command, with the catalogue of designs.
#include <fencecheck/cli/command_line.h>
#include <fencecheck/designs/catalogue.h>

int main(int argc, char** argv) { return fencecheck::run_command_line(argc, argv, fencecheck::designs::catalogue()); }
