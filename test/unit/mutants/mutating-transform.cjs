// Compiles as all tests do, after it put the mutant of MUTANT into its file.
const { resolve } = require('node:path');
const swc = require('@swc/jest');

const mutant = JSON.parse(process.env.MUTANT);
const target = resolve(mutant.file);

module.exports = {
  createTransformer(options) {
    const inner = swc.createTransformer(options);
    const mutated = (source, path) =>
      resolve(path) === target
        ? `${source.slice(0, mutant.at)}${mutant.to}${source.slice(mutant.at + mutant.from.length)}`
        : source;
    return {
      ...inner,
      getCacheKey: (source, path, more) => inner.getCacheKey(mutated(source, path), path, more),
      process: (source, path, more) => inner.process(mutated(source, path), path, more),
    };
  },
};
