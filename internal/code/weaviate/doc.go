// Package weaviate speaks with the servers of Weaviate, from v1.35, over REST and GraphQL: objects of
// some bytes, found by name or by a vector, in classes. Builds with the tag team have it.
package weaviate
