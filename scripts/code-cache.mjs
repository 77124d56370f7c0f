/**
 * The engine's compiled code of a command, kept in the user's cache folder: written at the end of the first run, used by
 * the next. It is never part of a package, because nobody can compare bytecode with a source.
 *
 *     openCodeCache() → { read(text), write(text, data) }, by the hash of the text and of the engine
 *
 * A file is used only if it and its folder belong to this user, if nobody else may write them, and if it is complete.
 */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";

/** Bytes of all files; a version of the command needs less than 4 MB. The oldest files are removed. */
const bytesMax = 32 * 2 ** 20;
const digestBytes = 32;
/** Also of drafts, which a killed run may leave. */
const ownName = /^(?:[0-9a-f]{64}\.bin|\.[0-9a-f-]{36}\.tmp)$/;

const digest = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** XDG_CACHE_HOME, which must be absolute, or the usual folder of the system. */
const cacheHome = ({ XDG_CACHE_HOME: given = "", LOCALAPPDATA: local = "" } = process.env) =>
  isAbsolute(given) ? given : process.platform === "win32" && isAbsolute(local) ? local : join(homedir(), ".cache");

/** @param folder - created when something is written */
export function openCodeCache({ folder, uid = process.getuid?.() } = {}) {
  // Windows has no owners of this kind; the folder is in the user's profile there.
  const isOurs = (stat) => uid === undefined || (stat.uid === uid && (stat.mode & 0o022) === 0);
  const isOwnFolder = (path) => {
    const stat = lstatSync(path);
    return stat.isDirectory() && isOurs(stat);
  };
  const path = (name) => join(folder ?? join(cacheHome(), "drover", "code"), name);
  const fileOf = (text) => path(`${digest(text, "\0", process.version, process.arch, String(cachedDataVersionTag())).toString("hex")}.bin`);

  /** Returns undefined if there is nothing to trust. Never throws. */
  const read = (text) => {
    let file;
    try {
      if (!isOwnFolder(path("."))) return undefined;
      file = openSync(fileOf(text), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stat = fstatSync(file);
      if (!stat.isFile() || !isOurs(stat) || stat.size > bytesMax) return undefined;
      const content = readFileSync(file);
      const data = content.subarray(digestBytes);
      return data.length > 0 && timingSafeEqual(content.subarray(0, digestBytes), digest(data)) ? data : undefined;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };

  /** Does nothing if the folder is not ours or cannot be written. Never throws. */
  const write = (text, data) => {
    const draft = path(`.${randomUUID()}.tmp`);
    let isDrafted = false;
    try {
      mkdirSync(path("."), { recursive: true, mode: 0o700 });
      if (!isOwnFolder(path(".")) || data.length + digestBytes > bytesMax) return;
      isDrafted = true;
      writeFileSync(draft, Buffer.concat([digest(data), data]), { flag: "wx", mode: 0o600 });
      renameSync(draft, fileOf(text));
      removeOldest();
    } catch {
      // Full, read-only, or not a folder.
      if (isDrafted) rmSync(draft, { force: true });
    }
  };

  const removeOldest = () => {
    const files = readdirSync(path("."))
      .filter((name) => ownName.test(name))
      .map((name) => ({ name, ...lstatSync(path(name), { throwIfNoEntry: false }) }))
      .toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    let bytes = 0;
    for (const { name, size } of files) {
      bytes += size ?? 0;
      if (bytes > bytesMax) rmSync(path(name), { force: true });
    }
  };

  return { read, write };
}
