const shardPattern = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i;

export interface ShardName {
  readonly stem: string;
  readonly index: number;
  readonly count: number;
}

/** Large models come in numbered files: `x-00001-of-00003.gguf`. */
export function parseShardName(fileName: string): ShardName | undefined {
  const match = shardPattern.exec(fileName);
  if (!match) return undefined;
  const [, stem = '', index, count] = match;
  const shard = { stem, index: Number(index), count: Number(count) };
  return shard.index >= 1 && shard.index <= shard.count ? shard : undefined;
}

export function shardName(stem: string, index: number, count: number): string {
  const digits = (value: number) => String(value).padStart(5, '0');
  return `${stem}-${digits(index)}-of-${digits(count)}.gguf`;
}

/** All files of the model whose only or first file is this one. */
export function shardPaths(firstPath: string): readonly string[] {
  const shard = parseShardName(firstPath);
  if (!shard) return [firstPath];
  const extension = firstPath.slice(-5);
  return Array.from(
    { length: shard.count },
    (_, position) => shardName(shard.stem, position + 1, shard.count).slice(0, -5) + extension,
  );
}
