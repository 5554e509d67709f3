/** Options that old Modelfiles and clients name and that runners of this family no longer have. */
export const outdatedOptions: ReadonlySet<string> = new Set([
  'embedding_only',
  'f16_kv',
  'logits_all',
  'low_vram',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'num_gqa',
  'numa',
  'penalize_newline',
  'rope_frequency_base',
  'rope_frequency_scale',
  'tfs_z',
  'use_mlock',
  'vocab_only',
]);
