/**
 * The client side of SOCKS5 (RFC 1928, passwords as in RFC 1929), without a socket. The proxy resolves the name.
 *
 *     bytes from the proxy → step → bytes for the proxy, or done, or failed
 */
import type { Secret } from "@drover/machinery";

export interface Socks5Target {
  readonly host: string;
  readonly port: number;
  readonly login?: { readonly username: string; readonly password: Secret };
}

export interface Socks5State {
  readonly phase: "method" | "login" | "reply";
  readonly target: Socks5Target;
  /** Received bytes of an incomplete message. */
  readonly received: Uint8Array;
}

export type Socks5Step =
  | { readonly kind: "more"; readonly state: Socks5State; readonly send?: Uint8Array }
  /** The tunnel is open; `rest` are the first bytes received through it. */
  | { readonly kind: "done"; readonly rest: Uint8Array }
  | { readonly kind: "failed"; readonly why: string };

const replies: readonly string[] = [
  "",
  "general failure",
  "not allowed by its rules",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "took too long on the way",
  "command not supported",
  "address type not supported",
];

/** Returns the first message, and the state that waits for its reply. */
export function socks5Start(target: Socks5Target): Socks5Step {
  const methods = target.login === undefined ? [0] : [0, 2];
  if (target.login !== undefined && [target.login.username, target.login.password.reveal()].some((text) => !fits(text)))
    return failed("user name and password must each have 1 to 255 bytes");
  if (!fits(target.host)) return failed("the server's name must have 1 to 255 bytes");
  return {
    kind: "more",
    state: { phase: "method", target, received: new Uint8Array() },
    send: Uint8Array.of(5, methods.length, ...methods),
  };
}

/** Processes bytes from the proxy. */
export function socks5Step(state: Socks5State, chunk: Uint8Array): Socks5Step {
  const received = joined(state.received, chunk);
  return after[state.phase]({ ...state, received });
}

const after: Readonly<Record<Socks5State["phase"], (state: Socks5State) => Socks5Step>> = {
  method: afterMethod,
  login: afterLogin,
  reply: afterReply,
};

function afterMethod({ target, received, phase }: Socks5State): Socks5Step {
  if (received.length < 2) return { kind: "more", state: { phase, target, received } };
  const [version, method] = received;
  if (version !== 5) return failed("it does not speak SOCKS5");
  if (method === 0) return asked(target, received.subarray(2));
  if (method !== 2 || target.login === undefined)
    return failed(
      target.login === undefined
        ? "it requires a user name and password; put them into proxy-url"
        : "it accepts no authentication method that we support",
    );
  const username = new TextEncoder().encode(target.login.username);
  const password = new TextEncoder().encode(target.login.password.reveal());
  const send = Uint8Array.of(1, username.length, ...username, password.length, ...password);
  return { kind: "more", state: { phase: "login", target, received: received.subarray(2) }, send };
}

function afterLogin({ target, received, phase }: Socks5State): Socks5Step {
  if (received.length < 2) return { kind: "more", state: { phase, target, received } };
  return received[1] === 0 ? asked(target, received.subarray(2)) : failed("it refused the user name or password in proxy-url");
}

function asked(target: Socks5Target, received: Uint8Array): Socks5Step {
  const send = Uint8Array.of(5, 1, 0, ...addressBytes(target.host), target.port >> 8, target.port & 255);
  return { kind: "more", state: { phase: "reply", target, received }, send };
}

function afterReply({ target, received, phase }: Socks5State): Socks5Step {
  const more: Socks5Step = { kind: "more", state: { phase, target, received } };
  if (received.length < 5) return more;
  const [version, reply = 0, , type, first = 0] = received;
  if (version !== 5) return failed("it does not speak SOCKS5");
  if (reply !== 0) return failed(replies[reply] ?? `reply ${reply}`);
  const addressLength = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? 1 + first : undefined;
  if (addressLength === undefined) return failed("its reply cannot be read");
  const length = 4 + addressLength + 2;
  return received.length < length ? more : { kind: "done", rest: received.subarray(length) };
}

/** IPv4 as four bytes; anything else, also IPv6, as a name, which every proxy understands. */
function addressBytes(host: string): readonly number[] {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (four !== null) return [1, ...four.slice(1).map(Number)];
  const name = new TextEncoder().encode(host);
  return [3, name.length, ...name];
}

const failed = (why: string): Socks5Step => ({ kind: "failed", why });

const fits = (text: string): boolean => {
  const { length } = new TextEncoder().encode(text);
  return length >= 1 && length <= 255;
};

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
