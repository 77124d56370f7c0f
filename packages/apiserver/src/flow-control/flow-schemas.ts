/**
 * Finds the FlowSchema and the priority level of a request. Nothing is queued: clients and logs read the answer in two headers.
 *
 *     FlowSchema, PriorityLevelConfiguration → FlowSchemas.classify → Classification
 */
import type { FlowSchema, PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { User } from "../access/user.ts";
import { matchesFlowSchema } from "./flow-schema-match.ts";
import type { ClassifiedRequest } from "./flow-schema-match.ts";

export interface Classification {
  readonly flowSchemaUid: string;
  readonly priorityLevelUid: string;
}

interface Ranked extends Classification {
  readonly schema: DeepReadonly<FlowSchema>;
}

/** Precedence of a FlowSchema that names none. */
const defaultPrecedence = 1000;

/** The stored objects, in the order in which they are tried. */
export class FlowSchemas {
  readonly #schemas = new Map<string, DeepReadonly<FlowSchema>>();
  readonly #levels = new Map<string, string>();
  #ranked: readonly Ranked[] | undefined;

  putSchema(name: string, schema: DeepReadonly<FlowSchema> | undefined): void {
    if (schema === undefined) this.#schemas.delete(name);
    else this.#schemas.set(name, schema);
    this.#ranked = undefined;
  }

  putLevel(name: string, level: DeepReadonly<PriorityLevelConfiguration> | undefined): void {
    if (level === undefined) this.#levels.delete(name);
    else this.#levels.set(name, level.metadata.uid ?? "");
    this.#ranked = undefined;
  }

  clear(): void {
    this.#schemas.clear();
    this.#levels.clear();
    this.#ranked = undefined;
  }

  /** Returns the first match by precedence, then by name; undefined if nothing matches. A schema without its level is skipped. */
  classify(user: User, request: ClassifiedRequest): Classification | undefined {
    this.#ranked ??= this.#rank();
    for (const ranked of this.#ranked) if (matchesFlowSchema(ranked.schema, user, request)) return ranked;
    return undefined;
  }

  #rank(): readonly Ranked[] {
    return [...this.#schemas]
      .toSorted(([a, one], [b, other]) => precedence(one) - precedence(other) || compareBytes(a, b))
      .flatMap(([, schema]) => {
        const priorityLevelUid = this.#levels.get(schema.spec?.priorityLevelConfiguration.name ?? "");
        return priorityLevelUid === undefined ? [] : [{ schema, flowSchemaUid: schema.metadata.uid ?? "", priorityLevelUid }];
      });
  }
}

const precedence = ({ spec }: DeepReadonly<FlowSchema>): number => spec?.matchingPrecedence ?? defaultPrecedence;
