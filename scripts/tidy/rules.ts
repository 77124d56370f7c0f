/** The rules of tidy, in the order of its output. */
import type { Rule } from "./house.ts";
import { classes } from "./rules/classes.ts";
import { cycles } from "./rules/cycles.ts";
import { direction } from "./rules/direction.ts";
import { doors } from "./rules/doors.ts";
import { entryPoints } from "./rules/entry-points.ts";
import { folders } from "./rules/folders.ts";
import { globals } from "./rules/globals.ts";
import { headerNames } from "./rules/header-names.ts";
import { lineWidth } from "./rules/line-width.ts";
import { manifests } from "./rules/manifests.ts";
import { moduleState } from "./rules/module-state.ts";
import { names } from "./rules/names.ts";
import { pureState } from "./rules/pure-state.ts";
import { size, type Ratchet } from "./rules/size.ts";
import { thrownValues } from "./rules/thrown-values.ts";

export const rules = (ratchet: Ratchet): readonly Rule[] => [
  direction,
  cycles,
  folders,
  doors,
  entryPoints(),
  globals,
  pureState,
  moduleState,
  names,
  classes,
  manifests,
  lineWidth,
  headerNames,
  thrownValues,
  size(ratchet),
];
