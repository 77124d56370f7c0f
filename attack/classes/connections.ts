/** Connections that are slow, half open, endless or not HTTP at all. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import type { Arena } from "../arena.ts";
import type { AttackClass } from "../attack.ts";
import { knock } from "../exchange.ts";
import { maps } from "./paths.ts";

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function plain({ target }: Arena): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(target.port, target.host, () => resolve(socket));
    socket.on("error", reject);
  });
}

export const connections: AttackClass = {
  name: "connections",
  attacks: [
    {
      name: "300 TCP connections that never say a word",
      act: async (arena) => {
        const sockets = await Promise.all(Array.from({ length: 300 }, () => plain(arena)));
        await wait(1000);
        for (const socket of sockets) socket.destroy();
      },
    },
    {
      name: "200 TLS connections that never ask",
      act: async (arena) => {
        const sockets = await Promise.all(Array.from({ length: 200 }, () => knock(arena.target)));
        await wait(1000);
        for (const socket of sockets) socket.destroy();
      },
    },
    {
      name: "100 heads that arrive byte by byte",
      act: async (arena) => {
        const sockets = await Promise.all(Array.from({ length: 100 }, () => knock(arena.target)));
        for (const socket of sockets) socket.on("error", () => undefined);
        for (const byte of "GET /api HTTP/1.1\r\nX-A: b\r\n") {
          for (const socket of sockets) socket.write(byte);
          await wait(20);
        }
        for (const socket of sockets) socket.destroy();
      },
    },
    {
      name: "100 bodies that arrive byte by byte",
      act: async (arena) => {
        const sockets = await Promise.all(Array.from({ length: 100 }, () => knock(arena.target)));
        for (const socket of sockets) {
          socket.on("error", () => undefined);
          socket.write(`POST ${maps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`);
        }
        for (let round = 0; round < 20; round++) {
          for (const socket of sockets) socket.write("{");
          await wait(20);
        }
        for (const socket of sockets) socket.destroy();
      },
    },
    {
      name: "plain HTTP on the TLS port",
      act: async (arena) => {
        const socket = await plain(arena);
        socket.on("error", () => undefined);
        socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await wait(300);
        socket.destroy();
      },
    },
    {
      name: "a megabyte of noise instead of a TLS hello",
      act: async (arena) => {
        const socket = await plain(arena);
        socket.on("error", () => undefined);
        socket.write(Buffer.alloc(1_000_000, 0x16));
        await wait(500);
        socket.destroy();
      },
    },
    {
      name: "500 TLS hellos that are broken off",
      act: async (arena) => {
        for (let round = 0; round < 500; round++) {
          const socket = await plain(arena);
          socket.on("error", () => undefined);
          socket.write(Buffer.from("16030100c8010000c40303", "hex"));
          socket.destroy();
        }
      },
    },
    {
      name: "1,000 requests on one connection without waiting for answers",
      act: async (arena) => {
        const answer = await arena.tell("GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000), 5000);
        const answers = answer.split("HTTP/1.1 200").length - 1;
        if (answers === 0) throw new Error(`no answer: ${answer.slice(0, 100)}`);
      },
    },
    {
      name: "200 large responses that the client does not read",
      act: async (arena) => {
        const sockets = await Promise.all(Array.from({ length: 200 }, () => knock(arena.target)));
        for (const socket of sockets) {
          socket.on("error", () => undefined);
          socket.pause();
          socket.write("GET /openapi/v2 HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        await wait(3000);
        for (const socket of sockets) socket.destroy();
      },
    },
    {
      name: "connections reset in the middle of 200 requests",
      act: async (arena) => {
        for (let round = 0; round < 200; round++) {
          const socket = await knock(arena.target);
          socket.on("error", () => undefined);
          socket.write(`POST ${maps} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"metadata"`);
          socket.destroy();
        }
      },
    },
  ],
};
