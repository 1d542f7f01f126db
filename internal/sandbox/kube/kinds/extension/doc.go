// Package extension has the wire form of the two kinds that extend the API, CustomResourceDefinition and
// APIService. Their published Go modules bring a whole API server along; these structs say the same on
// the wire.
package extension
