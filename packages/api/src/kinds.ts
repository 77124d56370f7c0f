/** Looks up built-in kinds by name. Programs that know their kinds import the descriptors from `@drover/api/apps/v1` and the like. */
import type { GroupVersionKind, Kind } from "@drover/machinery";
import { kinds } from "./kind-list.ts";

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

const byName: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [keyOf(kind), kind]));

/** Returns the descriptor of a built-in kind; `undefined` for any other. */
export const findKind = (name: GroupVersionKind): Kind | undefined => byName.get(keyOf(name));
