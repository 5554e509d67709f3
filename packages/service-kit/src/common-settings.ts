import path from 'node:path';
import { z } from 'zod';
import { defaultDataFolder } from './data-folder.js';
import { logFormats, logLevels } from './logger.js';
import { choiceSetting, integerSetting } from './setting-schemas.js';
import { defineSettings } from './settings.js';

/** The settings that both services have, spelled the same way in both. */
export const commonSettings = (env: NodeJS.ProcessEnv) =>
  defineSettings({
    dataFolder: {
      env: 'HEARTH_DATA',
      flag: '--data <folder>',
      description: 'folder that holds all state',
      defaultText: '$XDG_DATA_HOME/hearth or ~/.local/share/hearth',
      schema: z
        .string()
        .transform((folder) => path.resolve(folder))
        .default(() => defaultDataFolder(env)),
    },
    logLevel: {
      env: 'HEARTH_LOG_LEVEL',
      flag: '--log-level <level>',
      description: `least severe log line to write: ${logLevels.join(', ')}`,
      defaultText: 'info',
      schema: choiceSetting(logLevels, 'info'),
    },
    logFormat: {
      env: 'HEARTH_LOG_FORMAT',
      flag: '--log-format <format>',
      description: 'json for machines, pretty for people, auto chooses by the terminal',
      defaultText: 'auto',
      schema: choiceSetting(logFormats, 'auto'),
    },
    graceSeconds: {
      env: 'HEARTH_GRACE_SECONDS',
      flag: '--grace-seconds <seconds>',
      description: 'how long requests in flight may run on after a stop signal',
      defaultText: '10',
      schema: integerSetting({ min: 0, max: 600, fallback: 10 }),
    },
  });
