import type { AttackClass } from "./attack.ts";
import { bodies } from "./classes/bodies.ts";
import { columns } from "./classes/columns.ts";
import { connections } from "./classes/connections.ts";
import { credentials } from "./classes/credentials.ts";
import { edits } from "./classes/edits.ts";
import { floods } from "./classes/floods.ts";
import { frames } from "./classes/frames.ts";
import { http2 } from "./classes/http2.ts";
import { history } from "./classes/history.ts";
import { names } from "./classes/names.ts";
import { patches } from "./classes/patches.ts";
import { processes } from "./classes/processes.ts";
import { protobuf } from "./classes/protobuf.ts";
import { questions } from "./classes/questions.ts";
import { reconciles } from "./classes/reconciles.ts";
import { celRules, schemas } from "./classes/schemas.ts";
import { upgrades } from "./classes/upgrades.ts";
import { values } from "./classes/values.ts";
import { watches } from "./classes/watches.ts";
import { workloads } from "./classes/workloads.ts";

/** In the order in which they run. */
export const attackClasses: readonly AttackClass[] = [
  bodies,
  protobuf,
  values,
  names,
  questions,
  patches,
  schemas,
  celRules,
  columns,
  frames,
  connections,
  http2,
  upgrades,
  credentials,
  watches,
  history,
  floods,
  workloads,
  edits,
  reconciles,
  processes,
];
