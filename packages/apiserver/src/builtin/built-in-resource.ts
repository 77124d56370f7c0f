/** A built-in kind as a resource. Expensive parts are created on first use: a server starts with all kinds and uses few. */
import { schemaFor } from "@drover/api/schemas";
import { builtInMergeType } from "@drover/machinery";
import type { JsonObject, Kind, MergeType, Schema } from "@drover/machinery";
import { builtInCodec } from "../codec/built-in-codec.ts";
import type { Codec } from "../codec/codec.ts";
import type { Resource, ScalePaths, SelectableFields } from "../registry/resource.ts";
import type { ResourceRules } from "../registry/resource-rules.ts";
import type { Strategy } from "../registry/strategy.ts";
import type { TablePrinter } from "../registry/table-printer.ts";
import { rulesOf } from "./rules.ts";
import { selectableFieldsOf } from "./selectable-fields.ts";
import { storagePrefixOf } from "./storage-prefix.ts";

export interface BuiltInOptions {
  readonly strategy: Strategy;
  readonly table: TablePrinter;
  readonly setDefaults: (object: JsonObject) => void;
  /** @default no conversion */
  readonly conversion?: NonNullable<Resource["conversion"]>;
  /** @default no wait */
  readonly afterWrite?: NonNullable<Resource["afterWrite"]>;
}

const deprecations: ReadonlyMap<string, string> = new Map([
  ["/v1/ComponentStatus", "v1 ComponentStatus is deprecated in v1.19+"],
  ["/v1/Endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
]);

export class BuiltInResource implements Resource {
  readonly kind: Kind;
  readonly isCustom = false;
  readonly storagePrefix: string;
  readonly conversion?: NonNullable<Resource["conversion"]>;
  readonly strategy: Strategy;
  readonly rules: ResourceRules;
  readonly selectableFields: SelectableFields;
  readonly table: TablePrinter;
  readonly scale?: ScalePaths;
  readonly afterWrite?: NonNullable<Resource["afterWrite"]>;
  readonly deprecation?: string;
  readonly storedGroup?: string;
  readonly codec: Codec;
  readonly #schema: Schema;
  #mergeType: MergeType | undefined;
  #emptyObject: JsonObject | undefined;

  constructor(kind: Kind, { strategy, table, setDefaults, conversion, afterWrite }: BuiltInOptions) {
    this.kind = kind;
    this.strategy = strategy;
    this.table = table;
    this.storagePrefix = storagePrefixOf(kind);
    this.rules = rulesOf(kind);
    this.selectableFields = selectableFieldsOf(kind);
    this.codec = builtInCodec(kind, setDefaults);
    this.#schema = schemaFor(kind) ?? {};
    if (conversion !== undefined) this.conversion = conversion;
    if (afterWrite !== undefined) this.afterWrite = afterWrite;
    const deprecation = deprecations.get(`${kind.group}/${kind.version}/${kind.kind}`);
    if (deprecation !== undefined) this.deprecation = deprecation;
    // Both kinds of events are stored in the core group.
    if (kind.group === "events.k8s.io") this.storedGroup = "";
    if (Object.hasOwn(kind.subresources, "scale"))
      this.scale = { specReplicas: ["spec", "replicas"], statusReplicas: ["status", "replicas"], selector: ["spec", "selector"] };
  }

  get patchSchema(): Schema {
    return this.#schema;
  }

  get mergeType(): MergeType {
    return (this.#mergeType ??= builtInMergeType(this.#schema));
  }

  get emptyObject(): JsonObject {
    return (this.#emptyObject ??= builtInCodec(this.kind, () => undefined).decodeValue({}).object);
  }
}
