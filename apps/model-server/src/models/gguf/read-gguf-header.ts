import { type FileHandle, open } from 'node:fs/promises';
import { GgufCursor } from './gguf-cursor.js';
import { GgufError } from './gguf-error.js';
import type { GgufHeader, GgufScalar, GgufValue } from './gguf-header.js';
import { type TensorInfo, tensorBytes, tensorTypeName } from './tensor-types.js';

const maxMetadataEntries = 65_536;
const maxTensors = 1_048_576;
const maxDimensions = 4;
const defaultAlignment = 32;
const stringType = 8;
const arrayType = 9;
const scalarBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

export interface ReadGgufOptions {
  /** Longer arrays (vocabularies) are skipped and only counted. */
  readonly keepArraysUpTo?: number;
}

/**
 * Reads the header of a GGUF file, version 2 or 3, and nothing of its weights. The file may come from anywhere, so
 * every count and length is checked against a bound and against what is left of the file before it is believed.
 */
export async function readGgufHeader(path: string, options: ReadGgufOptions = {}): Promise<GgufHeader> {
  const file = await open(path, 'r');
  try {
    return await readFrom(file, options.keepArraysUpTo ?? 64);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, keepArraysUpTo: number): Promise<GgufHeader> {
  const cursor = new GgufCursor(file, (await file.stat()).size);
  const version = await readVersion(cursor);
  const tensorCount = await cursor.size();
  const entryCount = await cursor.size();
  // The smallest tensor entry takes 24 bytes and the smallest metadata entry 13.
  if (tensorCount > maxTensors || tensorCount * 24 > cursor.remainingBytes) {
    throw new GgufError('corrupt', 'the header promises more tensors than the file can hold');
  }
  if (entryCount > maxMetadataEntries || entryCount * 13 > cursor.remainingBytes) {
    throw new GgufError('corrupt', 'the header promises more metadata than the file can hold');
  }
  const metadata = new Map<string, GgufValue>();
  for (let index = 0; index < entryCount; index += 1) {
    const key = await cursor.string();
    metadata.set(key, await readValue(cursor, await cursor.uint32(), keepArraysUpTo));
  }
  const tensors: TensorInfo[] = [];
  let dataBytes = 0;
  for (let index = 0; index < tensorCount; index += 1) {
    const { tensor, endOffset } = await readTensor(cursor);
    tensors.push(tensor);
    dataBytes = Math.max(dataBytes, endOffset);
  }
  const alignment = metadata.get('general.alignment');
  const step = typeof alignment === 'number' && alignment > 0 ? alignment : defaultAlignment;
  const dataStart = Math.ceil(cursor.position / step) * step;
  return {
    version,
    metadata,
    tensors,
    expectedFileBytes: dataBytes === 0 ? cursor.position : dataStart + dataBytes,
  };
}

async function readVersion(cursor: GgufCursor): Promise<number> {
  if (cursor.fileBytes < 4) throw new GgufError('not-a-gguf', 'the file is not in GGUF format');
  await cursor.need(4);
  if (cursor.take(4).toString('latin1') !== 'GGUF') {
    throw new GgufError('not-a-gguf', 'the file is not in GGUF format');
  }
  const version = await cursor.uint32();
  if (version === 2 || version === 3) return version;
  // A file written on a big-endian machine has its version in the upper bytes.
  const advice = version > 0xffff ? 'it was written for a big-endian machine' : 'convert the model anew';
  throw new GgufError('unsupported-version', `GGUF version ${version} is not supported: ${advice}`);
}

async function readValue(cursor: GgufCursor, type: number, keepArraysUpTo: number): Promise<GgufValue> {
  if (type === arrayType) return await readArray(cursor, keepArraysUpTo);
  return await readScalar(cursor, type);
}

async function readArray(cursor: GgufCursor, keepUpTo: number): Promise<GgufValue> {
  const type = await cursor.uint32();
  const length = await cursor.size();
  const elementBytes = type === stringType ? 8 : scalarBytes[type];
  if (elementBytes === undefined)
    throw new GgufError('corrupt', 'an array in the header is of an unknown type');
  if (length * elementBytes > cursor.remainingBytes) {
    throw new GgufError('truncated', 'the file ends in the middle of its header; it was not copied whole');
  }
  if (length > keepUpTo) {
    // One by one with a wait each, a vocabulary of 300,000 would hold up everybody else for a quarter of a second.
    if (type === stringType) await cursor.skipStrings(length);
    else await cursor.skip(length * elementBytes);
    return { length, values: [] };
  }
  const values: GgufScalar[] = [];
  for (let index = 0; index < length; index += 1) values.push(await readScalar(cursor, type));
  return { length, values };
}

async function readScalar(cursor: GgufCursor, type: number): Promise<GgufScalar> {
  if (type === stringType) return await cursor.string();
  const bytes = scalarBytes[type];
  if (bytes === undefined) throw new GgufError('corrupt', 'a value in the header is of an unknown type');
  if (!cursor.has(bytes)) await cursor.need(bytes);
  const raw = cursor.take(bytes);
  switch (type) {
    case 0:
      return raw.readUInt8();
    case 1:
      return raw.readInt8();
    case 2:
      return raw.readUInt16LE();
    case 3:
      return raw.readInt16LE();
    case 4:
      return raw.readUInt32LE();
    case 5:
      return raw.readInt32LE();
    case 6:
      return raw.readFloatLE();
    case 7:
      return raw.readUInt8() !== 0;
    case 10:
      return Number(raw.readBigUInt64LE());
    case 11:
      return Number(raw.readBigInt64LE());
    default:
      return raw.readDoubleLE();
  }
}

async function readTensor(cursor: GgufCursor): Promise<{ tensor: TensorInfo; endOffset: number }> {
  const name = await cursor.string();
  const dimensions = await cursor.uint32();
  if (dimensions > maxDimensions) throw new GgufError('corrupt', 'a tensor has too many dimensions');
  const shape: number[] = [];
  for (let index = 0; index < dimensions; index += 1) shape.push(await cursor.size());
  const type = await cursor.uint32();
  const offset = await cursor.size();
  const values = shape.reduce((product, length) => product * length, 1);
  const endOffset = offset + tensorBytes(type, values);
  if (!Number.isSafeInteger(endOffset)) throw new GgufError('corrupt', 'a tensor is absurdly large');
  return { tensor: { name, type: tensorTypeName(type), shape, offset }, endOffset };
}
