/**
 * Ends a program when the program that started it is gone, also after `kill -9`, which it cannot forward. Built-in
 * modules only: with-setup.mjs imports this file before anything is installed.
 *
 *     onParentEnd(end)                                     in a script
 *     node --import …/end-with-parent.mjs?of=PID program   in a program: SIGTERM to itself
 */
const intervalMs = 250;

/** The program that starts this one may end before this line; then the query says who it is. */
const tied = new URL(import.meta.url).searchParams.get("of");
const parent = tied === null ? process.ppid : Number(tied);

/** Calls `end` once the parent has ended. */
export function onParentEnd(end) {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, intervalMs);
  timer.unref();
}

if (tied !== null) onParentEnd(() => process.kill(process.pid, "SIGTERM"));
