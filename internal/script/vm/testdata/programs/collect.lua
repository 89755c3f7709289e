-- A program that changes the mode of the collector is told the one before.
collectgarbage("incremental")
print(collectgarbage("generational"), collectgarbage("generational"), collectgarbage("incremental"), collectgarbage("incremental"))
