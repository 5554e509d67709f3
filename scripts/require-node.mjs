// Loaded first by every script, before anything that an old version of Node could not read.
const wanted = 20;
if (Number(process.versions.node.split('.')[0]) < wanted) {
  process.stderr.write(`hearth: Node ${wanted} or newer is needed, and this is ${process.versions.node}\n`);
  process.exit(1);
}
