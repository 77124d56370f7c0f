/**
 * Validates a value against a schema, with the API server's errors: its texts, its order and its quirks.
 *
 *     CompiledSchema, value (and the stored value on updates) → FieldError[]
 *
 * Does not evaluate CEL rules (`x-kubernetes-validations`); `blocksRules` tells whether they may run afterwards.
 */
import {
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  fieldTypeInvalid,
  type FieldError,
} from "../field/field-error.ts";
import { fieldChild, type FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { quoteGo } from "../go/go-quote.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { matchesEnum } from "./enum-rule.ts";
import { validateEmbeddedResources } from "./embedded-resource.ts";
import { printGo, isInt64 } from "../json/go-print.ts";
import { validateListTypes } from "./list-type.ts";
import { checkNumber, isJsonInteger, type NumberReport } from "./number-rules.ts";
import { isUnchanged, oldField, oldItems } from "./ratchet.ts";

/** Position of a value, and its previous state. */
export interface ValidateOptions {
  /**
   * Path of the value in the object; every error's field starts with it.
   * @default "", the object itself
   */
  readonly path?: FieldPath;
  /**
   * The stored value, on updates: errors in unchanged parts are ignored.
   * @default undefined, no error is ignored
   */
  readonly old?: JsonValue | undefined;
}

/** Returns all errors of a value: keywords first, then embedded resources, then lists of type set or map. Never evaluates CEL rules. */
export function validate(value: JsonValue, schema: CompiledSchema, options: ValidateOptions = {}): FieldError[] {
  const errors = validateValue(value, schema, options);
  if (schema.holdsEmbedded) errors.push(...validateEmbeddedResources(value, schema, options));
  if (schema.holdsKeyedLists) errors.push(...validateListTypes(value, schema, options));
  return errors;
}

/** Checks only the OpenAPI keywords: type, format, enum, bounds, required, allOf and the like. */
export function validateValue(value: JsonValue, schema: CompiledSchema, { path = "", old }: ValidateOptions = {}): FieldError[] {
  const walk = new Walk(path);
  walk.check(value, schema, old);
  if (old !== undefined && walk.failed && isUnchanged(value, old, schema)) return [];
  return walk.errors();
}

/** Whether the server would skip CEL rules after these errors, and say so. */
export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some(
    ({ type }) => type === "NotSupported" || type === "Required" || type === "TooLong" || type === "TooMany" || type === "TypeInvalid",
  );
}

/** An error and the text that identifies it; each text is reported once. */
interface Finding {
  readonly text: string;
  readonly error: FieldError;
}

/**
 * One walk along a value. `check` returns how many checks a value passed: when no alternative fits, the errors of the closest one
 * are reported.
 */
class Walk implements NumberReport {
  readonly #prefix: FieldPath;
  readonly #findings: Finding[] = [];
  /** Names and indexes from the root to the current value; printed only for errors. */
  readonly #path: (string | number)[] = [];
  /** Whether the first name is a key and not a property, which the server prints with a leading dot. */
  #leadingDot = false;

  constructor(prefix: FieldPath) {
    this.#prefix = prefix;
  }

  get failed(): boolean {
    return this.#findings.length > 0;
  }

  errors(): FieldError[] {
    if (this.#findings.length < 2) return this.#findings.map(({ error }) => error);
    const byText = new Map<string, FieldError>();
    for (const { text, error } of this.#findings) if (!byText.has(text)) byText.set(text, error);
    return [...byText.values()];
  }

  check(value: JsonValue, node: CompiledSchema, old: JsonValue | undefined): number {
    if (value === null) return this.#checkNull(node);
    let passed = 4;
    if (node.types.length > 0 || node.format !== "") passed += this.#checkType(value, node) ? 2 : 1;
    if (node.hasJunctors) passed += this.#checkJunctors(value, node);
    if (typeof value === "string") {
      passed += node.isFormat === undefined ? 1 : 2;
      this.#checkString(value, node);
    } else if (typeof value === "number" || typeof value === "bigint") {
      passed += 2;
      if (node.hasNumberRules) checkNumber(value, node, this);
    } else if (Array.isArray(value)) passed += 2 + this.#checkArray(value, node, old);
    if (node.enum !== undefined && !matchesEnum(value, node.enum)) this.#enumError(value, node.enum);
    if (typeof value === "object" && !Array.isArray(value)) passed += 1 + this.#checkObject(value, node, old);
    return passed;
  }

  /** Only two keywords check null, and no enum can name it. */
  #checkNull(node: CompiledSchema): number {
    const wrong = node.types.length > 0 && !node.nullable && !node.types.includes("null");
    if (wrong) this.#typeError(node.types.join(","), "null");
    if (node.enum !== undefined) this.#enumError(null, node.enum);
    return wrong ? 0 : 1;
  }

  #checkType(value: NonNullable<JsonValue>, { types, format }: CompiledSchema): boolean {
    const type = typeOf(value);
    if (types.length === 1 && types[0] === type) return true;
    const fits =
      types.includes(type) ||
      (type === "integer" && types.includes("number")) ||
      (type === "number" && types.includes("integer") && isJsonInteger(Number(value)));
    if (format !== "") {
      const isText = type === "string" || type === "array";
      const valueFormat = type === "integer" ? "int64" : type === "number" ? "float64" : "";
      if (!isText && !fits && valueFormat !== format) return this.#typeError(format, valueFormat);
      if (isText && !types.includes("number") && !types.includes("integer")) return true;
    }
    return fits || this.#typeError(types.join(","), type);
  }

  #checkJunctors(value: NonNullable<JsonValue>, node: CompiledSchema): number {
    let passed = 0;
    if (node.anyOf.length > 0) passed += this.#checkAnyOf(value, node.anyOf);
    if (node.oneOf.length > 0) passed += this.#checkOneOf(value, node.oneOf);
    if (node.allOf.length > 0) passed += this.#checkAllOf(value, node.allOf);
    if (node.not !== undefined && this.#attempt(value, node.not).findings.length === 0)
      this.loose(`${quoteGo(this.name)} must not validate the schema (not)`);
    return passed;
  }

  #checkAnyOf(value: NonNullable<JsonValue>, branches: readonly CompiledSchema[]): number {
    let best: Attempt | undefined;
    for (const branch of branches) {
      const attempt = this.#attempt(value, branch);
      if (attempt.findings.length === 0) return attempt.passed;
      if (best === undefined || attempt.passed > best.passed) best = attempt;
    }
    this.loose(`${quoteGo(this.name)} must validate at least one schema (anyOf)`);
    return this.#adopt(best);
  }

  #checkOneOf(value: NonNullable<JsonValue>, branches: readonly CompiledSchema[]): number {
    let best: Attempt | undefined;
    let first: Attempt | undefined;
    let fitting = 0;
    for (const branch of branches) {
      const attempt = this.#attempt(value, branch);
      if (attempt.findings.length === 0) {
        fitting++;
        first ??= attempt;
      } else if (best === undefined || attempt.passed > best.passed) best = attempt;
    }
    if (fitting === 1) return first?.passed ?? 0;
    this.loose(
      `${quoteGo(this.name)} must validate one and only one schema (oneOf). ${fitting === 0 ? "Found none valid" : `Found ${fitting} valid alternatives`}`,
    );
    return fitting === 0 ? this.#adopt(best) : 0;
  }

  #checkAllOf(value: NonNullable<JsonValue>, branches: readonly CompiledSchema[]): number {
    let passed = 0;
    let fitting = 0;
    for (const branch of branches) {
      const before = this.#findings.length;
      passed += this.check(value, branch, undefined);
      if (this.#findings.length === before) fitting++;
    }
    if (fitting < branches.length)
      this.loose(`${quoteGo(this.name)} must validate all the schemas (allOf)${fitting === 0 ? ". None validated" : ""}`);
    return passed;
  }

  /** Checks an alternative without reporting. Ignores no errors within: the server does not follow the old value there. */
  #attempt(value: NonNullable<JsonValue>, branch: CompiledSchema): Attempt {
    const before = this.#findings.length;
    const passed = this.check(value, branch, undefined);
    return { passed, findings: this.#findings.length === before ? none : this.#findings.splice(before) };
  }

  #adopt(attempt: Attempt | undefined): number {
    if (attempt === undefined) return 0;
    for (const finding of attempt.findings) this.#findings.push(finding);
    return attempt.passed;
  }

  #checkString(text: string, { schema: { maxLength, minLength }, pattern, isFormat, format }: CompiledSchema): void {
    if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
      this.#add(fieldTooLong(this.#field(), maxLength), `should be at most ${maxLength} chars long`);
    } else if (minLength !== undefined && text.length < minLength * 2 && codePoints(text) < minLength) {
      this.#invalid(text, `should be at least ${minLength} chars long`);
    } else if (pattern !== undefined && !pattern.test(text)) {
      this.#invalid(
        text,
        `should match '${pattern.source}${pattern.error === undefined ? "" : `, but pattern is invalid: ${pattern.error}`}'`,
      );
    }
    if (isFormat !== undefined && !isFormat(text)) this.#typeError(format, text);
  }

  #checkArray(list: readonly JsonValue[], node: CompiledSchema, old: JsonValue | undefined): number {
    let passed = 0;
    if (node.items !== undefined) {
      const find = old === undefined ? undefined : oldItems(old, node);
      for (let index = 0; index < list.length; index++) {
        const item = list[index] ?? null;
        passed += this.#checkChild(item, index, node.items, find?.(item));
      }
    }
    const { minItems, maxItems, uniqueItems } = node.schema;
    if (minItems !== undefined && list.length < minItems) this.#invalid(list.length, `should have at least ${minItems} items`);
    if (maxItems !== undefined && list.length > maxItems)
      this.#add(fieldTooMany(this.#field(), list.length, maxItems), `should have at most ${maxItems} items`);
    if (uniqueItems === true && new Set(list.map(printGoJson)).size < list.length) this.#invalid("", "shouldn't contain duplicates");
    return passed;
  }

  #checkObject(object: JsonObject, node: CompiledSchema, old: JsonValue | undefined): number {
    let passed = 0;
    const { minProperties, maxProperties } = node.schema;
    if (minProperties !== undefined || maxProperties !== undefined) this.#checkSize(Object.keys(object).length, node);
    if (typeof node.additional === "object" || node.additional === "none") passed += this.#checkAdditional(object, node, old);
    if (node.properties.size > 0) {
      for (const name in object) {
        const property = node.properties.get(name);
        if (property === undefined || !Object.hasOwn(object, name)) continue;
        passed += this.#checkChild(object[name] ?? null, name, property, this.#oldField(old, name));
      }
    }
    for (const name of node.required) {
      if (Object.hasOwn(object, name)) continue;
      const path = `${this.name}.${name}`;
      this.#findings.push({ text: `${path} in body is required`, error: fieldRequired(this.#fieldOf(path)) });
    }
    return passed;
  }

  /** The server sets the type fields of the object itself to what was requested, so their old values mean nothing. */
  #oldField(old: JsonValue | undefined, name: string): JsonValue | undefined {
    return old === undefined || (this.#path.length === 0 && (name === "kind" || name === "apiVersion")) ? undefined : oldField(old, name);
  }

  #checkSize(size: number, { schema: { minProperties, maxProperties } }: CompiledSchema): void {
    if (minProperties !== undefined && size < minProperties) this.#invalid(size, `should have at least ${minProperties} properties`);
    if (maxProperties !== undefined && size > maxProperties)
      this.#add(fieldTooMany(this.#field(), size, maxProperties), `should have at most ${maxProperties} properties`);
  }

  #checkAdditional(object: JsonObject, node: CompiledSchema, old: JsonValue | undefined): number {
    let passed = 0;
    if (this.#path.length === 0) this.#leadingDot = true;
    for (const key of Object.keys(object)) {
      if (node.properties.has(key)) continue;
      if (typeof node.additional === "object")
        passed += this.#checkChild(object[key] ?? null, key, node.additional, this.#oldField(old, key));
      else
        this.#findings.push({
          text: `${this.name}.${key} is a forbidden property`,
          error: fieldInvalid(this.#field(), key, `${this.name}.${key} in body is a forbidden property`),
        });
    }
    if (this.#path.length === 0) this.#leadingDot = false;
    return passed;
  }

  // Called for every value, so its arguments are not in an object.
  #checkChild(value: JsonValue, step: string | number, node: CompiledSchema, old: JsonValue | undefined): number {
    const before = this.#findings.length;
    this.#path.push(step);
    const passed = this.check(value, node, old);
    this.#path.pop();
    if (old !== undefined && this.#findings.length > before && isUnchanged(value, old, node)) this.#findings.length = before;
    return passed;
  }

  /** Path of the current value as messages name it. */
  get name(): string {
    let name = "";
    for (const step of this.#path) {
      if (typeof step === "number") name += `[${step}]`;
      else name += name === "" && !this.#leadingDot ? step : `.${step}`;
    }
    return name;
  }

  invalid(value: number | bigint, detail: string, valueText?: string): void {
    const error = fieldInvalid(this.#field(), value, detail);
    this.#findings.push({ text: detail, error: valueText === undefined ? error : { ...error, valueText } });
  }

  loose(detail: string): void {
    this.#findings.push({ text: detail, error: fieldInvalid(this.#prefix, "", detail) });
  }

  #invalid(value: JsonValue, what: string): void {
    const detail = `${this.name} in body ${what}`;
    this.#findings.push({ text: detail, error: fieldInvalid(this.#field(), value, detail) });
  }

  #typeError(wanted: string, found: string): false {
    const detail = `${this.name} in body must be of type ${wanted}: ${quoteGo(found)}`;
    this.#findings.push({ text: detail, error: fieldTypeInvalid(this.#field(), found, detail) });
    return false;
  }

  #enumError(value: JsonValue, allowed: readonly JsonValue[]): void {
    const names = allowed.map((item) => (typeof item === "string" ? item : printGoJson(item)));
    this.#add(fieldNotSupported(this.#field(), value, names), `should be one of [${allowed.map(printGo).join(" ")}]`);
  }

  #add(error: FieldError, what: string): void {
    this.#findings.push({ text: `${this.name} in body ${what}`, error });
  }

  #field(): FieldPath {
    return this.#fieldOf(this.name);
  }

  #fieldOf(name: string): FieldPath {
    const bare = name.startsWith(".") ? name.slice(1) : name;
    return bare === "" ? this.#prefix : fieldChild(this.#prefix, bare);
  }
}

interface Attempt {
  readonly passed: number;
  readonly findings: readonly Finding[];
}
const none: readonly Finding[] = [];

function typeOf(value: NonNullable<JsonValue>): string {
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? "integer" : "number";
  if (typeof value !== "object") return typeof value;
  return Array.isArray(value) ? "array" : "object";
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
