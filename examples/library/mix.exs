defmodule Library.MixProject do
  use Mix.Project

  def project do
    [app: :library, version: "1.0.0", elixir: "~> 1.14"]
  end
end
