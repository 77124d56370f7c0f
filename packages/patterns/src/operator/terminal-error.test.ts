import { expect, it } from "vitest";
import { terminal, TerminalError } from "./terminal-error.ts";

it("is an error to be thrown, with its cause", () => {
  const cause = new Error("404");
  expect(terminal("no such image", { cause })).toMatchObject({ name: "TerminalError", message: "no such image", cause });
  expect(terminal("no")).toBeInstanceOf(TerminalError);
});
