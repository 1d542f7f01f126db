// Package models derives, by reflection over the API's Go structs, the one set of schemas that is both
// published as OpenAPI v3 and used to tell who owns which field in a server-side apply.
//
// The structs' tags carry the strategic-merge keys and their SwaggerDoc methods the descriptions. What
// only their comments carry (list types other than the merge key, atomic structs, two defaults that are
// part of a list's key) is listed in markers.go.
package models
