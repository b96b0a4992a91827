/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings as operators type them, into messages.
 */
#ifndef WALPF_CTL_SETTING_H
#define WALPF_CTL_SETTING_H

#include <netlink/msg.h>
#include <stdbool.h>

/**
 * setting_add() - add a setting to a message, in the nest WALPF_A_SETTINGS
 * @msg: the message
 * @name: what to set
 * @value: a number, with or without K, M, G or T behind it, or a word
 *
 * Which there are, and what they may be, is for the module to judge.
 *
 * Return: false if @value looks like a number and is none, or is too long.
 */
bool setting_add(struct nl_msg *msg, const char *name, const char *value);

#endif
