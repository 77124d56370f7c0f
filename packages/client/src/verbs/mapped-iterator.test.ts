import { expect, it } from "vitest";
import { mappedIterator } from "./mapped-iterator.ts";

it("mappedIterator maps every value and ends with its source", async () => {
  async function* numbers(): AsyncGenerator<number, void, undefined> {
    yield 1;
    yield 2;
  }
  const all: string[] = [];
  for await (const text of mappedIterator(numbers(), String)) all.push(text);
  expect(all).toEqual(["1", "2"]);
});

it("mappedIterator reaches the source at once when it is closed while a value is pending", async () => {
  let end: ((step: IteratorReturnResult<void>) => void) | undefined;
  const source: AsyncIterableIterator<number, void, undefined> = {
    next: () =>
      new Promise((resolve) => {
        end = resolve;
      }),
    return: async () => {
      end?.({ done: true, value: undefined });
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const mapped = mappedIterator(source, String);
  const waiting = mapped.next();
  await mapped.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});
