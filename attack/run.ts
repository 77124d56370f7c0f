/**
 * `npm run attack`: starts `drover up` and an operator with small heaps and attacks them, class by class. Fails when one of them ends,
 * stops answering, or needs more time or memory than its limits; more time only if it needs it twice.
 *
 *     npm run attack                      all classes
 *     npm run attack -- patches watches   these classes
 *     npm run attack -- --short           of every class the attacks that are over soon
 *     npm run attack -- --each            a line for every attack
 *     npm run attack -- --requests 100000 --seed 7   so many requests from a grammar instead; --only 123 sends one of them again
 */
import { openArena } from "./arena.ts";
import type { Arena } from "./arena.ts";
import { attackClasses } from "./attack-classes.ts";
import { defaultLimits } from "./attack.ts";
import type { Attack, AttackClass } from "./attack.ts";
import { judgeAttack } from "./judge-attack.ts";
import type { Verdict } from "./judge-attack.ts";
import { runRequests } from "./requests/run-requests.ts";

const optionOf = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
};
const print = (line: string): void => void process.stdout.write(`${line}\n`);
if (process.argv.includes("--requests")) await attackWithRequests();

const isShort = process.argv.includes("--short");
const printsEach = process.argv.includes("--each");
const names = process.argv.slice(2).filter((name) => name !== "--short" && name !== "--each");
const unknown = names.filter((name) => !attackClasses.some((each) => each.name === name));
if (unknown.length > 0) {
  process.stderr.write(`No class ${unknown.join(", ")}. There are: ${attackClasses.map(({ name }) => name).join(", ")}.\n`);
  process.exit(2);
}

/** The last attack of every class: whether the operator still does its work. */
const reconcilesAfterwards = {
  name: "all of the above: the operator still reconciles",
  act: async (arena: Arena): Promise<void> => {
    const text = `after ${performance.now()}`;
    await arena.sheep("canary", { text });
    await arena.fed("canary", text);
  },
};

const chosen = attackClasses.filter(({ name }) => names.length === 0 || names.includes(name));
const began = performance.now();
const failed: string[] = [];
let passed = 0;
for (const each of chosen) {
  const verdicts = await attackAll(each);
  const survived = verdicts.filter(({ problems }) => problems.length === 0);
  passed += survived.length;
  const most = (of: (verdict: Verdict) => number): number => Math.round(Math.max(...verdicts.map(of)));
  const slow = Math.max(...verdicts.map(({ slowness }) => slowness));
  print(
    `${each.name.padEnd(22)} ${String(survived.length).padStart(3)} of ${String(verdicts.length).padStart(3)}   ${most(({ seconds }) => seconds * 1000)} ms, silent ${most(({ silentMs }) => silentMs)} ms (busy ${most(({ busyMs }) => busyMs)} ms), ${most(({ megabytes }) => megabytes)} MB${slow < 1.2 ? "" : `, processor ${slow.toFixed(1)} times slower`}`,
  );
  if (printsEach)
    for (const { name, seconds, silentMs, busyMs, megabytes, slowness } of verdicts)
      print(
        `  ${name}: ${Math.round(seconds * 1000)} ms, silent ${Math.round(silentMs)} ms (busy ${Math.round(busyMs)} ms), ${Math.round(megabytes)} MB, slowness ${slowness.toFixed(1)}`,
      );
  for (const { name, problems } of verdicts)
    for (const problem of problems) {
      failed.push(name);
      print(`  FAILS ${name}: ${problem}`);
    }
}
print(`${chosen.length} classes in ${Math.round((performance.now() - began) / 1000)} s`);
print(`${passed} passed, ${new Set(failed).size} failed`);
process.exit(failed.length === 0 ? 0 : 1);

/** Does not return. */
async function attackWithRequests(): Promise<never> {
  const [count, seed, only] = [Number(optionOf("--requests")), optionOf("--seed") ?? "1", optionOf("--only")];
  if (!Number.isInteger(count) || count < 4 || !(only === undefined || /^\d+$/.test(only))) {
    process.stderr.write("--requests and --only need numbers: npm run attack -- --requests 100000 --seed 7\n");
    process.exit(2);
  }
  const started = performance.now();
  print(`${count} hostile requests, seed ${seed}`);
  const problems = await runRequests({ count, seed, print, ...(only === undefined ? {} : { only: Number(only) }) });
  print(`${count} requests in ${Math.round((performance.now() - started) / 1000)} s`);
  print(`${problems.length === 0 ? 1 : 0} passed, ${problems.length === 0 ? 0 : 1} failed`);
  return process.exit(problems.length === 0 ? 0 : 1);
}

/** Attacks that need a long time say so in their limits. */
function attacksOf({ attacks }: AttackClass): readonly Attack[] {
  const short = attacks.filter(({ limits }) => (limits?.seconds ?? defaultLimits.seconds) <= defaultLimits.seconds);
  return !isShort ? attacks : short.length > 0 ? short : attacks.slice(0, 3);
}

/** One arena for a class, and a new one after a failure, so that the next attack is judged alone. */
async function attackAll(attackClass: AttackClass): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  let arena: Arena | undefined;
  for (const attack of attacksOf(attackClass)) {
    arena ??= await openArena();
    let verdict = await judgeAttack(arena, attack);
    if (verdict.isOnlyLate) {
      print(`  again: ${verdict.name}: ${verdict.problems.join("; ")}`);
      await arena.close();
      arena = await openArena();
      verdict = await judgeAttack(arena, attack);
    }
    verdicts.push(verdict);
    if (verdict.problems.length > 0) {
      await arena.close();
      arena = undefined;
    }
  }
  if (arena !== undefined) {
    verdicts.push(await judgeAttack(arena, reconcilesAfterwards));
    await arena.close();
  }
  return verdicts;
}
