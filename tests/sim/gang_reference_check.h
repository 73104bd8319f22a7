/*
 * gang_reference_check.h - compares a state, and each view of it, with the
 * reference model.
 */
#pragma once

#include "gang_reference_model.h"

/* --- the state ------------------------------------------------------------ */

void model_check_heist(const struct model *model, const struct heist *heist);

/* --- views ---------------------------------------------------------------- */

/* The parts of a view of a seat or a spectator that are not the state's. */
void model_check_view(const struct model *model, const struct gang_view *view);
