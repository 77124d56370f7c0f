/**
 * A TCP proxy in front of the peer address of one member of an etcd cluster, which can hold back what passes between members.
 *
 *     other members → PeerProxy → member
 */
import { createServer, connect } from "node:net";
import type { Server, Socket } from "node:net";

interface Link {
  readonly near: Socket;
  readonly far: Socket;
  /** Id of the member that has connected, once its first request is read. */
  from: string | undefined;
  isHeld: boolean;
}

export interface PeerProxyOptions {
  readonly port: number;
  /** Port of the member. */
  readonly target: number;
  /** Whether bytes from a member, by its id, are to be held back at present. */
  readonly isCut: (from: string) => boolean;
}

/** Guarantees: bytes that were held back are never delivered; the connection ends instead. */
export class PeerProxy {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  readonly #isCut: PeerProxyOptions["isCut"];

  constructor({ port, target, isCut }: PeerProxyOptions) {
    this.#isCut = isCut;
    this.#server = createServer((near) => this.#link(near, connect(target, "127.0.0.1"))).listen(port, "127.0.0.1");
  }

  /** Holds back open connections that are cut, and ends those that were. */
  update(): void {
    for (const link of this.#links) {
      const isCut = link.from !== undefined && this.#isCut(link.from);
      if (isCut) link.isHeld = true;
      else if (link.isHeld) this.#end(link);
    }
  }

  close(): void {
    for (const link of this.#links) this.#end(link);
    this.#server.close();
  }

  #link(near: Socket, far: Socket): void {
    const link: Link = { near, far, from: undefined, isHeld: false };
    this.#links.add(link);
    for (const socket of [near, far]) {
      socket.on("error", () => undefined);
      socket.on("close", () => this.#end(link));
    }
    near.on("data", (bytes: Buffer) => {
      link.from ??= /^x-server-from: *([0-9a-f]+)/im.exec(bytes.toString("latin1"))?.[1];
      if (link.from !== undefined && this.#isCut(link.from)) link.isHeld = true;
      if (!link.isHeld) far.write(bytes);
    });
    far.on("data", (bytes: Buffer) => {
      if (!link.isHeld) near.write(bytes);
    });
  }

  #end(link: Link): void {
    this.#links.delete(link);
    link.near.destroy();
    link.far.destroy();
  }
}
