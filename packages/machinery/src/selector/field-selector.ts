/**
 * Field selectors: `metadata.name=web-0,status.phase!=Running`. The server decides which fields can be selected; a missing field
 * counts as empty.
 */
import { compareBytes } from "../go/byte-text.ts";
import { SelectorError } from "./selector-error.ts";

/** One condition on one field; the value is unescaped. */
export interface FieldTerm {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** One requirement on a field in a SubjectAccessReview: parsed, for authorizers that restrict lists and watches. */
export interface FieldSelectorRequirement {
  key: string;
  /** "In" or "NotIn"; the server may add others. */
  operator: string;
  values?: string[];
}

/** A set of conditions, all of which must hold. Immutable; matching allocates nothing. */
export class FieldSelector {
  /** In print order. */
  readonly terms: readonly FieldTerm[];

  constructor(terms: readonly FieldTerm[]) {
    this.terms = Object.freeze([...terms]);
  }

  /** Whether every object matches. */
  get isEverything(): boolean {
    return this.terms.length === 0;
  }

  /** Whether fields, by path, meet every condition. */
  matches(fields: Readonly<Record<string, string>>): boolean {
    for (const { field, operator, value } of this.terms) {
      const found = Object.hasOwn(fields, field) ? (fields[field] ?? "") : "";
      if ((found === value) !== (operator === "=")) return false;
    }
    return true;
  }

  /** Returns the value that a term requires of this field, if any. */
  requiresExactMatch(field: string): string | undefined {
    return this.terms.find((term) => term.operator === "=" && term.field === field)?.value;
  }

  /** Rewrites every term. A term that becomes undefined, or gets an empty field and value, is dropped. */
  transform(rewrite: (term: FieldTerm) => Pick<FieldTerm, "field" | "value"> | undefined): FieldSelector {
    return new FieldSelector(
      this.terms.flatMap((term): FieldTerm[] => {
        const { field, value } = rewrite(term) ?? { field: "", value: "" };
        return field === "" && value === "" ? [] : [{ field, operator: term.operator, value }];
      }),
    );
  }

  /** Returns the intersection. */
  and(other: FieldSelector): FieldSelector {
    return new FieldSelector([...this.terms, ...other.terms]);
  }

  /** The text with escaped values, which parses to a selector with the same terms. */
  toString(): string {
    return this.terms.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(",");
  }
}

/** Selects objects whose field has this value. */
export function oneTermEqualSelector(field: string, value: string): FieldSelector {
  return new FieldSelector([{ field, operator: "=", value }]);
}

/** Selects objects whose field has another value. */
export function oneTermNotEqualSelector(field: string, value: string): FieldSelector {
  return new FieldSelector([{ field, operator: "!=", value }]);
}

/** Selects objects with all these field values. No fields select everything. */
export function fieldSelectorFromSet(fields: Readonly<Record<string, string>> | undefined): FieldSelector {
  const sorted = Object.entries(fields ?? {}).toSorted(([a], [b]) => compareBytes(a, b));
  return new FieldSelector(sorted.map(([field, value]): FieldTerm => ({ field, operator: "=", value })));
}

/** Parses a field selector; the empty text selects everything. Throws a {@link SelectorError} with the server's message. */
export function parseFieldSelector(text: string): FieldSelector {
  const parts = splitTerms(text)
    .filter((part) => part !== "")
    .toSorted(compareBytes);
  const terms = parts.map((part): FieldTerm => {
    const split = /!=|==?/.exec(part);
    if (split === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${part}'`);
    const [operator] = split;
    return {
      field: part.slice(0, split.index),
      operator: operator === "!=" ? "!=" : "=",
      value: unescapeFieldValue(part.slice(split.index + operator.length)),
    };
  });
  // A lone "=" has no effect.
  return new FieldSelector(terms.filter(({ field, value }) => field !== "" || value !== ""));
}

/** Escapes a value: backslash, comma and equals sign get a backslash. */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, String.raw`\$&`);
}

/** Unescapes a value. Throws a {@link SelectorError} for other escapes and for unescaped special characters. */
export function unescapeFieldValue(text: string): string {
  return text.replaceAll(/\\.?|[,=]/gsu, (found) => {
    if (found === "," || found === "=")
      throw new SelectorError(`invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`);
    if (!/^\\[\\,=]$/.test(found)) throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
    return found.slice(1);
  });
}

// An escaped comma belongs to a value.
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === ",") {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...terms, text.slice(start)];
}
