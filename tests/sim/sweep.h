/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All combinations of devices, sizes and processors, judged.
 */
#ifndef WALPF_SIM_SWEEP_H
#define WALPF_SIM_SWEEP_H

#include "sim.h"

/*
 * Runs all variants at each point and prints a line for it; then what is wrong
 * with the command that runs that point alone, which repeats @argv. Of sizes and
 * processors each @grid-th is taken. Returns how many points fail, at most 100.
 */
int sweep(const struct sim_conf *base, u32 grid, int argc, char **argv);

#endif
