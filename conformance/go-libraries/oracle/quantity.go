package main

import (
	"encoding/json"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
)

func init() {
	// {"a": "1Gi"} reads one quantity; with "b" the two are also compared, added and subtracted, with "by" the first is multiplied.
	subjects["quantity"] = func(input json.RawMessage) (any, error) {
		var question struct {
			A  string
			B  *string
			By *int64
		}
		if err := json.Unmarshal(input, &question); err != nil {
			return nil, err
		}
		a, err := resource.ParseQuantity(question.A)
		if err != nil {
			return nil, err
		}
		output := map[string]any{
			"text":   a.String(),
			"format": a.Format,
			"sign":   a.Sign(),
		}
		if question.B == nil && question.By == nil {
			number, suffix := a.CanonicalizeBytes(nil)
			output["canonical"] = string(number) + string(suffix)
			output["value"] = strconv.FormatInt(a.Value(), 10)
			output["milliValue"] = strconv.FormatInt(a.MilliValue(), 10)
			output["mega"] = strconv.FormatInt(a.ScaledValue(resource.Mega), 10)
			output["number"] = strconv.FormatFloat(a.AsApproximateFloat64(), 'g', -1, 64)
			negative := a.DeepCopy()
			negative.Neg()
			output["neg"] = negative.String()
		}
		if question.B != nil {
			b, err := resource.ParseQuantity(*question.B)
			if err != nil {
				return nil, err
			}
			output["compare"] = a.Cmp(b)
			sum, difference := a.DeepCopy(), a.DeepCopy()
			sum.Add(b)
			difference.Sub(b)
			output["add"] = []any{sum.String(), sum.Format}
			output["sub"] = []any{difference.String(), difference.Format}
		}
		if question.By != nil {
			product := a.DeepCopy()
			product.Mul(*question.By)
			output["mul"] = product.String()
		}
		return output, nil
	}

	// Any JSON value, as the field of an object would hold it.
	subjects["quantity-json"] = func(input json.RawMessage) (any, error) {
		var quantity resource.Quantity
		if err := json.Unmarshal(input, &quantity); err != nil {
			return nil, err
		}
		return quantity, nil
	}
}
