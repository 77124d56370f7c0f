/** A vitest reporter that names every skipped test and ends the run with `N passed, N failed`. */
import type { Reporter, TestCase, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string): TestCase[] => cases.filter((test) => test.result().state === state);
    const skipped = inState("skipped");
    for (const test of skipped) {
      const result = test.result();
      const why = result.state === "skipped" && result.note !== undefined ? `: ${result.note}` : "";
      process.stdout.write(`skipped ${test.fullName}${why}\n`);
    }
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const failed = inState("failed").length + brokenModules + unhandled.length;
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
    process.stdout.write(`${inState("passed").length} passed, ${failed} failed${tail}\n`);
  }
}
