/**
 * Calls `pass` at each boundary of a transaction, and waits for it: before a transaction begins, and after it was
 * committed.
 */
exports.atBoundaries = (database, pass) => {
  const { transact } = database;
  database.transact = async (work, options) => {
    await pass();
    const result = await transact(work, options);
    await pass();
    return result;
  };
};
