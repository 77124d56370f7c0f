/** Kinds by resource name. */
import { kinds } from "@drover/api";

const words: ReadonlyMap<string, string> = new Map(kinds.map(({ plural, kind }) => [plural, kind]));

/** "pods" → "Pod"; unknown resources keep their name. */
export const kindWord = (resource: string): string => words.get(resource) ?? resource;
