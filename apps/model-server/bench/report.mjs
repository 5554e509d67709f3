// What the samples say. Noise on the machine only ever makes things slower, so the best sample is nearest to what the
// code can do; the median says what a user met on that machine, on that day. Both are shown.

const measures = {
  best: (samples, unit) => (unit === 'ms' ? Math.min(...samples) : Math.max(...samples)),
  median: (samples) => [...samples].sort((left, right) => left - right)[Math.floor(samples.length / 2)],
};

/** How good a figure is against the engine's: above 1 is better, whatever the unit. */
function ratio(figure, base, unit) {
  return unit === 'ms' ? base / figure : figure / base;
}

/** One table for each measure, in Markdown. */
export function renderTables(figures, targets) {
  return Object.keys(measures)
    .map(
      (measure) =>
        `${measure} of ${figures[0]?.samples[targets[0]].length ?? 0}\n\n${table(figures, targets, measure)}`,
    )
    .join('\n\n');
}

function table(figures, targets, measure) {
  const rows = figures.map(({ name, unit, samples }) => {
    const base = measures[measure](samples.engine, unit);
    const cells = targets.map((target) => {
      if (samples[target].length === 0) return '';
      const value = measures[measure](samples[target], unit);
      if (target === 'engine') return value.toFixed(1);
      return `${value.toFixed(1)} (${ratio(value, base, unit).toFixed(2)})`;
    });
    return `| ${name} | ${unit} | ${cells.join(' | ')} |`;
  });
  return [
    `| case | unit | ${targets.join(' | ')} |`,
    `| --- | --- |${' ---: |'.repeat(targets.length)}`,
    ...rows,
  ].join('\n');
}
