/**
 * A terminal that a command takes over and gives back: alternate screen, no cursor, no line wrap, keys without Enter.
 *
 *     process.stdin, process.stdout → terminalOf → Terminal
 */
import type { ScreenSize } from "./top-screen.ts";

/** What happens while the terminal is taken. */
export interface TerminalEvents {
  /** Characters of a key. */
  readonly key: (text: string) => void;
  readonly resize: () => void;
}

/** A terminal. */
export interface Terminal {
  readonly size: () => ScreenSize;
  readonly write: (text: string) => void;
  /** Takes the terminal. Returns a function that gives it back, also called when the process exits; safe to call twice. */
  readonly take: (events: TerminalEvents) => () => void;
}

/** The part of `process.stdin` that is used. */
export interface TerminalInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: "data", listener: (chunk: Uint8Array | string) => void): unknown;
  off(event: "data", listener: (chunk: Uint8Array | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The part of `process.stdout` that is used. */
export interface TerminalOutput {
  readonly isTTY?: boolean;
  readonly rows?: number;
  readonly columns?: number;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Where to learn of the end of the process. */
export interface ExitSource {
  once(event: "exit", listener: () => void): unknown;
  off(event: "exit", listener: () => void): unknown;
}

const enter = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const leave = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/** Returns the terminal; undefined if the output is none, or one that cannot move its cursor. */
export function terminalOf(
  input: TerminalInput,
  output: TerminalOutput,
  { exit, env: { TERM: name = "" } }: { readonly exit: ExitSource; readonly env: Readonly<Record<string, string | undefined>> },
): Terminal | undefined {
  if (output.isTTY !== true || name === "dumb") return undefined;
  return {
    // A terminal without a size, such as that of some CI systems, reports 0.
    size: () => ({ rows: output.rows || 24, columns: output.columns || 80 }),
    write: (text) => void output.write(text),
    take: ({ key, resize }) => {
      const heard = (chunk: Uint8Array | string): void => key(String(chunk));
      const hasKeys = input.isTTY === true && input.setRawMode !== undefined;
      let isTaken = true;
      const giveBack = (): void => {
        if (!isTaken) return;
        isTaken = false;
        exit.off("exit", giveBack);
        output.off("resize", resize);
        if (hasKeys) {
          input.off("data", heard);
          input.setRawMode?.(false);
          input.pause();
        }
        output.write(leave);
      };
      exit.once("exit", giveBack);
      output.on("resize", resize);
      if (hasKeys) {
        input.setRawMode?.(true);
        input.on("data", heard);
        input.resume();
      }
      output.write(enter);
      return giveBack;
    },
  };
}
