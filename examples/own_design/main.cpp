// The whole fencecheck command, with this one design: ./my-store check, show, replay, explain …
#include <fencecheck/cli/command_line.h>

#include "my_store.h"

int main(int argc, char** argv) { return fencecheck::command_line<MyStore>(argc, argv); }
