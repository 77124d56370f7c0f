import { describe, expect, it } from "vitest";
import { terminalOf } from "./terminal.ts";

type Listener = (...values: never[]) => void;

/** The listeners of a stream or a process. */
function listeners() {
  const all = new Map<Listener, string>();
  const on = (event: string, listener: Listener): void => void all.set(listener, event);
  return {
    on,
    once: on,
    off: (_event: string, listener: Listener) => void all.delete(listener),
    emit: (event: string, ...values: unknown[]) => {
      for (const [listener, of] of all) if (of === event) listener(...(values as never[]));
    },
    count: () => all.size,
  };
}
function inputOf() {
  const state = { isRaw: false, isPaused: true };
  return {
    ...listeners(),
    isTTY: true,
    state,
    setRawMode: (isRaw: boolean) => void (state.isRaw = isRaw),
    resume: () => void (state.isPaused = false),
    pause: () => void (state.isPaused = true),
  };
}
function outputOf({
  isTTY = true,
  rows = 10,
  columns = 60,
}: { readonly isTTY?: boolean; readonly rows?: number; readonly columns?: number } = {}) {
  const state = { text: "" };
  return { ...listeners(), isTTY, rows, columns, state, write: (text: string) => void (state.text += text) };
}
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";

describe("terminalOf", () => {
  it("is undefined for pipes and for terminals that cannot move their cursor", () => {
    const exit = listeners();
    expect(terminalOf(inputOf(), outputOf({ isTTY: false }), { exit, env: {} })).toBeUndefined();
    expect(terminalOf(inputOf(), outputOf(), { exit, env: { TERM: "dumb" } })).toBeUndefined();
  });

  it.each(["the caller", "the end of the process"])("takes the terminal until %s gives it back, once", (who) => {
    const [input, output, exit] = [inputOf(), outputOf(), listeners()];
    const terminal = terminalOf(input, output, { exit, env: { TERM: "xterm" } });
    const seen: string[] = [];
    const giveBack = terminal?.take({ key: (text) => void seen.push(text), resize: () => void seen.push("resize") });
    expect([input.state, output.state.text]).toEqual([{ isRaw: true, isPaused: false }, "\u001b[?1049h\u001b[?25l\u001b[?7l"]);
    input.emit("data", Buffer.from("q"));
    output.emit("resize");
    expect([seen, terminal?.size()]).toEqual([["q", "resize"], { rows: 10, columns: 60 }]);
    if (who === "the caller") giveBack?.();
    else exit.emit("exit");
    giveBack?.();
    expect([input.state, output.state.text.split(leave)]).toMatchObject([{ isRaw: false, isPaused: true }, { length: 2 }]);
    for (const source of [input, output, exit]) expect(source.count()).toBe(0);
  });

  it("assumes 24 rows of 80 columns if the terminal does not know its size", () => {
    const output = outputOf({ rows: 0, columns: 0 });
    expect(terminalOf(inputOf(), output, { exit: listeners(), env: {} })?.size()).toEqual({ rows: 24, columns: 80 });
  });
});
