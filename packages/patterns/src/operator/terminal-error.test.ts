import { expect, it } from "vitest";
import { terminal, TerminalError } from "./terminal-error.ts";

it("terminal creates an error with its cause", () => {
  const cause = new Error("404");
  expect(terminal("no such image", { cause })).toMatchObject({ name: "TerminalError", message: "no such image", cause });
  expect(terminal("no")).toBeInstanceOf(TerminalError);
});
