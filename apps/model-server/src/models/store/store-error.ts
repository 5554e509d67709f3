import { GenerationError } from '../../generation/generation-error.js';

/** What the disk refused, in words for the caller; any other error stays what it is. */
export function storeError(error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new GenerationError('does-not-fit', 'the disk is full; what was downloaded so far is kept', {
      cause: error,
    });
  }
  if (code === 'EFBIG') {
    return new GenerationError(
      'does-not-fit',
      'the file system of the model store takes no file this large',
      {
        cause: error,
      },
    );
  }
  // On a read-only file system a folder within a folder that cannot be made counts as not found.
  const isLocked = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  if (isLocked || (code === 'ENOENT' && syscall === 'mkdir')) {
    return new GenerationError(
      'conflict',
      'this server may read its model store and not write to it: give it the right, or start it with another folder (HEARTH_MODELS)',
      { cause: error },
    );
  }
  return error;
}
