/**
 * Child processes that answer calls. A child ends with its parent, however that ends: the channel between them closes.
 *
 *     parent: startChild("server-process.ts").call("open", …)        child: serveCalls({ open: … })
 */
import { fork } from "node:child_process";
import { join } from "node:path";

export interface Child {
  /** Rejects with the error of the child, and when it has ended. */
  call<T>(name: string, argument?: unknown): Promise<T>;
  end(): Promise<void>;
}

export interface ChildOptions {
  /** @default 1024 */
  readonly heapMegabytes?: number;
  /** A program and its arguments that run Node: `nsenter …`. @default none */
  readonly through?: readonly [string, ...string[]];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** Starts a file of this folder with the flags of this process. */
export function startChild(file: string, { heapMegabytes = 1024, through }: ChildOptions = {}): Child {
  const flags = [...process.execArgv, "--expose-gc", `--max-old-space-size=${heapMegabytes}`];
  const [program = process.execPath, ...before] = through ?? [];
  const child = fork(join(import.meta.dirname, file), [], {
    execPath: program,
    execArgv: through === undefined ? flags : [...before, process.execPath, ...flags],
    serialization: "advanced",
    env: { ...process.env, NODE_ENV: "production" },
  });
  const waiting = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void }>();
  let calls = 0;
  let ended: Error | undefined;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = new Error(`${file} ended with ${signal ?? code}`);
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
      resolve();
    });
  });
  child.on("message", (message) => {
    const { id, result, error } = message as Answer;
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) caller?.resolve(result);
    else caller?.reject(new Error(`${file}: ${error}`));
  });
  return {
    call: <T>(name: string, argument?: unknown): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const id = ++calls;
        waiting.set(id, { resolve: (result) => resolve(result as T), reject });
        child.send({ id, name, argument });
      }),
    end: async () => {
      if (ended !== undefined) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Answers the calls of the parent, and ends when the parent has. */
export function serveCalls(handlers: Readonly<Record<string, (argument: never) => unknown>>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (message) => {
    const { id, name, argument } = message as { readonly id: number; readonly name: string; readonly argument: never };
    const handler = handlers[name];
    Promise.resolve()
      .then(() => {
        if (handler === undefined) throw new Error(`no call is named ${name}`);
        return handler(argument);
      })
      .then(
        (result) => process.send?.({ id, result }),
        (error: unknown) => process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      );
  });
}
