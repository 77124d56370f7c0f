/**
 * Values that a stranger's code may throw, reject with or return, and that break naive code which prints, logs, compares or classifies
 * them. Every place that calls a callback of a user is tested with all of them.
 *
 *     for (const { name, make } of hostileValues) it(`survives ${name}`, () => …)
 */

/** One hostile value. */
export interface HostileValue {
  /** What it is, for the title of a test: "a revoked proxy". */
  readonly name: string;
  /** Returns a new one. Some can be read only once. */
  readonly make: () => unknown;
}

/**
 * "Huge" texts: longer than any log line, Event or condition. Made once and shared, because most tests need them and to make one costs more
 * than to survive it.
 */
const hugeText = "x".repeat(2 ** 21);
const hugeWideText = "é".repeat(2 ** 21);

/** Every hostile value. Primitives first, then objects, errors, proxies and thenables. */
export const hostileValues: readonly HostileValue[] = [
  { name: "undefined", make: () => undefined },
  { name: "null", make: () => null },
  { name: "an empty text", make: () => "" },
  { name: "a text with control characters", make: () => "a\u0000b\n\u001b[2J\ud800" },
  { name: "a huge text", make: () => hugeWideText },
  { name: "NaN", make: () => NaN },
  { name: "a bigint", make: () => 10n },
  { name: "a huge bigint", make: () => 1n << 20_000_000n },
  { name: "a symbol", make: () => Symbol("thrown") },
  { name: "a symbol without a description", make: () => Symbol() },
  { name: "a function", make: () => () => undefined },
  { name: "a function with a throwing name", make: () => withGetter(() => undefined, "name", refuse) },
  { name: "a class", make: () => Map },
  { name: "a plain object", make: () => ({ message: "not an error" }) },
  { name: "an object without a prototype", make: () => Object.create(null) as unknown },
  { name: "an object whose toString throws", make: () => ({ toString: refuse, valueOf: refuse }) },
  { name: "an object whose toString returns an object", make: () => ({ toString: () => ({}), valueOf: () => ({}) }) },
  { name: "an object whose Symbol.toPrimitive throws", make: () => ({ [Symbol.toPrimitive]: refuse }) },
  { name: "an object whose Symbol.toStringTag throws", make: () => withGetter({}, Symbol.toStringTag, refuse) },
  { name: "an object whose toJSON throws", make: () => ({ toJSON: refuse }) },
  { name: "an object whose toJSON returns itself", make: selfJson },
  { name: "a list that contains itself", make: selfList },
  { name: "lists in lists, endless as text", make: listsInLists },
  { name: "objects in objects, too deep to recurse", make: deepObject },
  { name: "an error without a message", make: () => new Error("") },
  { name: "a frozen error", make: () => Object.freeze(new Error("frozen")) },
  { name: "an error of another realm", make: foreignError },
  { name: "an error whose message throws", make: () => withGetter(new Error("x"), "message", refuse) },
  { name: "an error whose name throws", make: () => withGetter(new Error(""), "name", refuse) },
  { name: "an error whose stack throws", make: () => withGetter(new Error("x"), "stack", refuse) },
  { name: "an error whose cause throws", make: () => withGetter(new Error("x"), "cause", refuse) },
  { name: "an error whose code throws", make: () => withGetter(new Error("x"), "code", refuse) },
  { name: "an error all of whose fields throw", make: allThrowing },
  { name: "an error whose getters throw what they belong to", make: throwsItself },
  { name: "an error whose message throws at the second read", make: () => withGetter(new Error("x"), "message", onceThen(refuse)) },
  { name: "an error whose message changes its type", make: () => withGetter(new Error("x"), "message", onceThen(Symbol)) },
  { name: "an error whose message is a symbol", make: () => withValue(new Error("x"), "message", Symbol("message")) },
  { name: "an error whose message is an object", make: () => withValue(new Error("x"), "message", { toString: refuse }) },
  { name: "an error whose message is undefined", make: () => withValue(new Error("x"), "message", undefined) },
  { name: "an error whose name and stack are no texts", make: () => withValue(withValue(new Error("x"), "name", {}), "stack", []) },
  { name: "an error with a huge message", make: () => new Error(hugeText) },
  { name: "an error with a huge stack", make: () => withValue(new Error("x"), "stack", hugeText) },
  { name: "an error with a huge field", make: () => Object.assign(new Error("x"), { body: hugeText }) },
  { name: "an error with 10,000 fields", make: () => Object.assign(new Error("x"), manyFields) },
  { name: "an error that is its own cause", make: selfCause },
  { name: "an error with ever new causes", make: () => withEndlessCauses(new Error("x")) },
  { name: "an error whose fields throw at enumeration", make: () => Object.defineProperty(new Error("x"), "detail", throwingField) },
  { name: "a TypeError about a read only property whose message throws later", make: fickleTypeError },
  { name: "an AggregateError that contains itself", make: selfAggregate },
  { name: "an AggregateError of 100,000 errors", make: manyErrors },
  { name: "an AggregateError whose errors throw", make: () => withGetter(new AggregateError([], ""), "errors", refuse) },
  { name: "an AggregateError whose errors are no list", make: () => withValue(new AggregateError([], ""), "errors", { length: 3 }) },
  { name: "an AbortError although nothing was aborted", make: () => new DOMException("stop", "AbortError") },
  { name: "a TimeoutError of a signal", make: () => new DOMException("late", "TimeoutError") },
  { name: "a revoked proxy", make: () => revoked({}) },
  { name: "a revoked proxy of an error", make: () => revoked(new Error("x")) },
  { name: "a revoked proxy of a function", make: () => revoked(() => undefined) },
  { name: "a revoked proxy of a list", make: () => revoked([]) },
  { name: "a proxy whose traps throw", make: () => new Proxy({}, throwingTraps) },
  { name: "a proxy of an error whose traps throw", make: () => new Proxy(new Error("x"), throwingTraps) },
  { name: "a proxy of an error that throws on every read", make: () => new Proxy(new Error("x"), { get: refuse }) },
  { name: "a proxy that has every property", make: () => new Proxy({}, { get: () => true, has: () => true }) },
  { name: "a proxy of an endless list", make: () => new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 53 - 1 : key) }) },
  { name: "an error that contains a revoked proxy", make: () => new Error("x", { cause: revoked({}) }) },
  { name: "an object whose then throws", make: () => withGetter({}, "then", refuse) },
  { name: "an error whose then throws", make: () => withGetter(new Error("x"), "then", refuse) },
  // oxlint-disable-next-line unicorn/no-thenable -- that is the point
  { name: "a thenable that throws", make: () => ({ then: refuse }) },
  // oxlint-disable-next-line unicorn/no-thenable -- that is the point
  { name: "a thenable that rejects with a revoked proxy", make: () => ({ then: rejectHostile }) },
];

function refuse(): never {
  throw new Error("refused");
}

function withGetter<T extends object>(target: T, key: PropertyKey, get: () => unknown): T {
  return Object.defineProperty(target, key, { get, configurable: true });
}

function withValue<T extends object>(target: T, key: PropertyKey, value: unknown): T {
  return Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

/** Returns a text at the first call and whatever the function does later. */
function onceThen(later: () => unknown): () => unknown {
  let isFirst = true;
  return () => {
    if (!isFirst) return later();
    isFirst = false;
    return "first";
  };
}

function selfJson(): unknown {
  const value = { toJSON: (): unknown => value };
  return value;
}

function selfList(): unknown {
  const list: unknown[] = [];
  list.push(list, list);
  return list;
}

function listsInLists(): unknown {
  let list: unknown = "x";
  for (let level = 0; level < 40; level++) list = [list, list];
  return list;
}

function deepObject(): unknown {
  let deep: unknown = "bottom";
  for (let level = 0; level < 50_000; level++) deep = { deep };
  return deep;
}

/** An error made elsewhere: `instanceof Error` does not know it. */
function foreignError(): unknown {
  const prototype = Object.create(null, { name: { value: "Error" }, toString: { value: () => "Error: foreign" } }) as object;
  return Object.setPrototypeOf(new Error("foreign"), prototype) as unknown;
}

function allThrowing(): unknown {
  const error = new Error("x");
  // The stack first: V8 writes it when it is first touched, and reads the name and the message for it.
  for (const key of ["stack", "message", "name", "cause", "code", "reason", "status", "toString", "toJSON", "then", "constructor"])
    withGetter(error, key, refuse);
  return withGetter(withGetter(error, Symbol.toStringTag, refuse), Symbol.toPrimitive, refuse);
}

function throwsItself(): unknown {
  const error = new Error("x");
  const throwIt = (): never => {
    throw error;
  };
  for (const key of ["stack", "message", "name", "cause"]) withGetter(error, key, throwIt);
  return error;
}

function selfCause(): unknown {
  const error = new Error("x");
  error.cause = error;
  return error;
}

function withEndlessCauses(error: Error): Error {
  return withGetter(error, "cause", () => withEndlessCauses(new Error("again")));
}

const throwingField: PropertyDescriptor = { get: refuse, enumerable: true };

/** It looks like the error about a write to a cached object, for which several places have an explanation. */
function fickleTypeError(): unknown {
  return withGetter(new TypeError("x"), "message", onceThen(refuse));
}

function selfAggregate(): unknown {
  const error = new AggregateError([], "");
  error.errors.push(error, error);
  return error;
}

function manyErrors(): unknown {
  return withValue(new AggregateError([]), "errors", manyTimes);
}

const oneError = new Error("x");
const manyTimes: readonly Error[] = Array.from({ length: 100_000 }, () => oneError);
const manyFields: object = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field${index}`, index]));

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const throwingTraps: ProxyHandler<object> = {
  get: refuse,
  set: refuse,
  has: refuse,
  ownKeys: refuse,
  getPrototypeOf: refuse,
  setPrototypeOf: refuse,
  isExtensible: refuse,
  preventExtensions: refuse,
  getOwnPropertyDescriptor: refuse,
  defineProperty: refuse,
  deleteProperty: refuse,
};

const rejectHostile = (_: unknown, reject: (reason: unknown) => void): void => reject(revoked({}));
