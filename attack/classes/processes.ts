/** Processes that are stopped, and logs without a reader. */
import { setTimeout as pause } from "node:timers/promises";
import type { Arena } from "../arena.ts";
import type { AttackClass } from "../attack.ts";
import { expectHandled } from "../expect-answer.ts";

async function works(arena: Arena, text: string): Promise<void> {
  expectHandled(await arena.sheep("good", { text }));
  await arena.fed("good", text, 40);
}

async function failures(arena: Arena, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    expectHandled(await arena.sheep(`loud-${index}`, { behaviour: "throws a long message", text: "x" }));
}

export const processes: AttackClass = {
  name: "processes",
  attacks: [
    {
      name: "an operator that is stopped for three seconds",
      limits: { seconds: 60 },
      act: async (arena) => {
        arena.operator.signal("SIGSTOP");
        await arena.sheep("good", { text: "written while it stood still" });
        await pause(3000);
        arena.operator.signal("SIGCONT");
        await arena.fed("good", "written while it stood still", 40);
      },
    },
    {
      name: "a server that is stopped for three seconds",
      limits: { seconds: 60, silentMs: 1200 },
      act: async (arena) => {
        arena.server.signal("SIGSTOP");
        await pause(3000);
        arena.server.signal("SIGCONT");
        await works(arena, "after the pause of the server");
      },
    },
    {
      name: "a full log pipe while 300 runs fail",
      limits: { seconds: 90 },
      act: async (arena) => {
        arena.operator.readOutput(false);
        await failures(arena, 300);
        await works(arena, "with a full log pipe");
        arena.operator.readOutput(true);
      },
    },
    {
      name: "a log whose reader has gone away",
      limits: { seconds: 60 },
      act: async (arena) => {
        arena.operator.closeOutput();
        await failures(arena, 20);
        await works(arena, "without a reader of the log");
      },
    },
  ],
};
