/** A vitest reporter that lists skipped tests with their reasons and ends the run with `N passed, N failed`. */
import type { Reporter, TestCase, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string): TestCase[] => cases.filter((test) => test.result().state === state);
    const skipped = inState("skipped");
    for (const [reason, tests] of groupBy(skipped, reasonOf)) {
      process.stdout.write(`skipped ${tests.length}: ${reason}\n`);
      for (const [file, { length }] of groupBy(tests, ({ module }) => module.relativeModuleId))
        process.stdout.write(`  ${file} (${length})\n`);
    }
    const brokenModules = modules.filter((module) => module.errors().length > 0).length;
    const failed = inState("failed").length + brokenModules + unhandled.length;
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
    process.stdout.write(`${inState("passed").length} passed, ${failed} failed${tail}\n`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return (result.state === "skipped" ? result.note : undefined) ?? "no reason given";
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
