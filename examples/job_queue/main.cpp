// The command of the tutorial, with the queue as it was first written and as it was mended.
#include <fencecheck/cli/command_line.h>

#include "queue.h"
#include "queue_naive.h"

int main(int argc, char** argv) { return fencecheck::command_line<NaiveQueue, Queue>(argc, argv); }
