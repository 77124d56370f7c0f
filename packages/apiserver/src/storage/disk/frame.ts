/**
 * Frames: the unit in which the store writes, syncs and checks. A file is a header and frames; a frame is a header and records.
 *
 *     file:   magic · version · kind · store id · revision · CRC
 *     frame:  magic · length · count · kind · revision · CRC of the body · CRC
 *
 * Checksums start from the id of the store, so no value that a client sends contains a valid frame.
 */
import { DataFolderError } from "./disk.ts";
import type { Disk, DiskFile } from "./disk.ts";
import { readRecords } from "./record.ts";
import type { DiskRecord } from "./record.ts";
import type { Revision } from "../store.ts";

export const fileHeaderBytes = 64;
export const frameHeaderBytes = 32;
/** The format of these files. A program refuses folders of a later one. */
const formatVersion = 1;
const fileMagic = "DROVERDB";
const frameMagic = 0x4d_52_46_44;
/** No group or slice is larger; a larger length is a damaged one. */
const frameBytesMax = 256 * 2 ** 20;
const fileKinds = ["log", "checkpoint"] as const;
const frameKinds = ["records", "sealed", "closed", "complete"] as const;

export type FileKind = (typeof fileKinds)[number];
/** `sealed`: the log goes on in the next file; `closed`: the store was closed in order; `complete`: the end of a checkpoint. */
export type FrameKind = (typeof frameKinds)[number];

export interface FileHeader {
  readonly kind: FileKind;
  /** 32 hexadecimal digits. */
  readonly storeId: string;
  /** Of a log: the revision before its first write. Of a checkpoint: its revision. */
  readonly revision: Revision;
}

export interface Frame {
  readonly kind: FrameKind;
  /** Where it starts. */
  readonly offset: number;
  /** Of a log: the revision before its first record. Of a checkpoint: the number of records before. */
  readonly position: number;
  readonly records: readonly DiskRecord[];
}

/** The end of the frames of a file. */
export interface FramesEnd {
  /** After the last valid frame. */
  readonly offset: number;
  /** Size of the file: more than `offset` when the last frame is incomplete. */
  readonly size: number;
}

type Checksum = Pick<Disk, "crc32">;

export const seedOf = ({ crc32 }: Checksum, storeId: string): number => crc32(Buffer.from(storeId, "hex"), 0);

export function fileHeader(disk: Checksum, { kind, storeId, revision }: FileHeader): Buffer {
  const bytes = Buffer.alloc(fileHeaderBytes);
  bytes.write(fileMagic, 0, "latin1");
  bytes.writeUInt32LE(formatVersion, 8);
  bytes.writeUInt32LE(fileKinds.indexOf(kind), 12);
  bytes.write(storeId, 16, "hex");
  bytes.writeDoubleLE(revision, 32);
  bytes.writeUInt32LE(disk.crc32(bytes.subarray(0, fileHeaderBytes - 4), 0), fileHeaderBytes - 4);
  return bytes;
}

/** Reads the header of a file. Throws a `DataFolderError` for foreign, damaged and later ones. */
export async function readFileHeader(disk: Checksum, file: DiskFile, name: string): Promise<FileHeader> {
  const bytes = Buffer.alloc(fileHeaderBytes);
  const length = await file.read(0, bytes);
  if (length < fileHeaderBytes || bytes.toString("latin1", 0, 8) !== fileMagic) throw damaged(name, 0, "it is not a file of a data folder");
  if (disk.crc32(bytes.subarray(0, fileHeaderBytes - 4), 0) !== bytes.readUInt32LE(fileHeaderBytes - 4))
    throw damaged(name, 0, "the checksum of its header is wrong");
  const version = bytes.readUInt32LE(8);
  if (version !== formatVersion)
    throw new DataFolderError(
      `${name} has the format ${version}, this program reads ${formatVersion}; use the version of drover that wrote it`,
    );
  const kind = fileKinds[bytes.readUInt32LE(12)];
  if (kind === undefined) throw damaged(name, 12, "its kind is unknown");
  return { kind, storeId: bytes.toString("hex", 16, 32), revision: bytes.readDoubleLE(32) };
}

/** Fills in the header of a frame, for which the first `frameHeaderBytes` of `bytes` are free. */
export function sealFrame(
  disk: Checksum,
  bytes: Buffer,
  { kind, count, position, seed }: { readonly kind: FrameKind; readonly count: number; readonly position: number; readonly seed: number },
): Buffer {
  bytes.writeUInt32LE(frameMagic, 0);
  bytes.writeUInt32LE(bytes.length - frameHeaderBytes, 4);
  bytes.writeUInt32LE(count, 8);
  bytes.writeUInt32LE(frameKinds.indexOf(kind), 12);
  bytes.writeDoubleLE(position, 16);
  bytes.writeUInt32LE(disk.crc32(bytes.subarray(frameHeaderBytes), seed), 24);
  bytes.writeUInt32LE(disk.crc32(bytes.subarray(0, 28), seed), 28);
  return bytes;
}

/** A frame without records. */
export const emptyFrame = (disk: Checksum, kind: FrameKind, position: number, seed: number): Buffer =>
  sealFrame(disk, Buffer.alloc(frameHeaderBytes), { kind, count: 0, position, seed });

interface FrameHead {
  readonly length: number;
  readonly count: number;
  readonly kind: FrameKind;
  readonly position: number;
  readonly bodyCrc: number;
}

function frameHead(disk: Checksum, bytes: Buffer, at: number, seed: number): FrameHead | undefined {
  if (bytes.readUInt32LE(at) !== frameMagic) return undefined;
  if (disk.crc32(bytes.subarray(at, at + 28), seed) !== bytes.readUInt32LE(at + 28)) return undefined;
  const [length, kind] = [bytes.readUInt32LE(at + 4), frameKinds[bytes.readUInt32LE(at + 12)]];
  if (kind === undefined || length > frameBytesMax) return undefined;
  return { length, count: bytes.readUInt32LE(at + 8), kind, position: bytes.readDoubleLE(at + 16), bodyCrc: bytes.readUInt32LE(at + 24) };
}

export interface FrameSource {
  readonly disk: Checksum;
  readonly file: DiskFile;
  readonly name: string;
  readonly seed: number;
}

const windowBytes = 4 * 2 ** 20;

/**
 * Passes every frame to `onFrame`, with at most one window and one frame in memory. Returns where the valid frames end; what follows is
 * one interrupted write. Throws a `DataFolderError` for a damaged frame that a valid one follows: frames are written one after the other
 * was synced, so it had been complete.
 */
export async function readFrames({ disk, file, name, seed }: FrameSource, onFrame: (frame: Frame) => void): Promise<FramesEnd> {
  const size = await file.size();
  let window: Buffer = Buffer.alloc(Math.max(0, Math.min(windowBytes, size - fileHeaderBytes)));
  let offset = fileHeaderBytes;
  /** Position of the window in the file, and how much of it is filled. */
  let [windowAt, filled] = [offset, 0];
  const load = async (count: number): Promise<boolean> => {
    if (offset + count <= windowAt + filled) return true;
    if (offset + count > size) return false;
    if (count > window.length) window = Buffer.alloc(count);
    [windowAt, filled] = [offset, await file.read(offset, window)];
    return count <= filled;
  };
  for (;;) {
    const head = (await load(frameHeaderBytes)) ? frameHead(disk, window, offset - windowAt, seed) : undefined;
    if (head === undefined || !(await load(frameHeaderBytes + head.length))) break;
    const start = offset - windowAt + frameHeaderBytes;
    const body = window.subarray(start, start + head.length);
    if (disk.crc32(body, seed) !== head.bodyCrc) break;
    const records = readRecords(body, head.count);
    if (records === undefined) throw damaged(name, offset, "its records are not those of this format");
    onFrame({ kind: head.kind, offset, position: head.position, records });
    offset += frameHeaderBytes + head.length;
  }
  const later = offset < size ? await laterFrame({ disk, file, name, seed }, offset + 1, size) : undefined;
  if (later !== undefined) throw damaged(name, offset, `a checksum is wrong, and valid data follow at byte ${later}`);
  return { offset, size };
}

/** Finds the next valid header of a frame. */
async function laterFrame({ disk, file, seed }: FrameSource, from: number, size: number): Promise<number | undefined> {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(frameMagic);
  const window = Buffer.alloc(Math.min(windowBytes, size - from));
  for (let at = from; at + frameHeaderBytes <= size; at += windowBytes - frameHeaderBytes) {
    const filled = await file.read(at, window);
    for (let found = window.indexOf(magic); found !== -1 && found + frameHeaderBytes <= filled; found = window.indexOf(magic, found + 1))
      if (frameHead(disk, window, found, seed) !== undefined) return at + found;
  }
  return undefined;
}

/** The error of a damaged file. */
export const damaged = (name: string, offset: number, why: string): DataFolderError =>
  new DataFolderError(
    `${name} is damaged at byte ${offset}: ${why}; "drover data verify DIR" lists all damage, and a copy of the folder restores it`,
  );
