/**
 * Loaded into a replica before its program: on SIGUSR2 the process stops itself with SIGSTOP at the worst moment, when
 * a write has its connection, and only the fence's check is left before its first byte.
 *
 * A stop from outside would mostly hit the process between two turns of its event loop, where timers run first when it
 * resumes and no fence is needed. Rarely it would hit after the fence's last check of the clock, in the microseconds
 * before the system call: no fence helps there, and no test can require it.
 */
let isArmed = false;
process.on("SIGUSR2", () => (isArmed = true));

const byteLength = Buffer.byteLength.bind(Buffer);

/** The client measures a body between getting a connection and asking the fence. */
Buffer.byteLength = (body, encoding) => {
  if (isArmed && typeof body === "string" && body.includes('"ConfigMap"') && isOfExchange()) {
    isArmed = false;
    process.kill(process.pid, "SIGSTOP");
  }
  return byteLength(body, encoding);
};

const isOfExchange = (): boolean => new Error("where am I").stack?.includes("node-exchange") === true;
